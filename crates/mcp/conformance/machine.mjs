// A machine for one run: a home, a checkout with a handbook, a daemon, and a door to it that brings the token along.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const LOCI = process.env.LOCI_BIN;

export class Machine {
  static async start() {
    const machine = new Machine();
    machine.dir = mkdtempSync(join(tmpdir(), "loci-mcp-"));
    machine.project = join(machine.dir, "checkout");
    mkdirSync(join(machine.project, ".git"), { recursive: true });
    machine.env = { PATH: process.env.PATH, HOME: machine.dir, LOCI_HOME: join(machine.dir, "home"), NO_COLOR: "1" };
    machine.handbook();
    await machine.serve();
    await machine.open();
    return machine;
  }

  /** The pipeline's output, as the project has it. */
  handbook() {
    const seed = JSON.stringify({ command: "create", path: "/memories/project/seed.md", file_text: "Seed.\n" });
    const seeded = spawnSync(LOCI, ["tool"], { cwd: this.project, env: this.env, input: seed + "\n" });
    if (seeded.status !== 0) throw new Error(`loci tool: ${seeded.stdout}${seeded.stderr}`);
    const projects = join(this.env.LOCI_HOME, "projects");
    this.book = join(projects, readdirSync(projects)[0], "handbook");
    mkdirSync(join(this.book, "skills", "release"), { recursive: true });
    writeFileSync(join(this.book, "memory_summary.md"), "Releases go out on Fridays.\n");
    writeFileSync(join(this.book, "MEMORY.md"), "# Handbook\n");
    const skill = "---\nname: release\ndescription: How to release\n---\nRun the smoke test first.\n";
    writeFileSync(join(this.book, "skills", "release", "SKILL.md"), skill);
  }

  async serve() {
    const flags = ["serve", "--port", "0", "--json", "--set", "daemon.rate_per_second=10000"];
    this.daemon = spawn(LOCI, flags, { cwd: this.project, env: this.env, stdio: ["ignore", "pipe", "inherit"] });
    const said = await new Promise((heard, gone) => {
      this.daemon.stdout.once("data", (line) => heard(JSON.parse(line)));
      this.daemon.once("exit", (code) => gone(new Error(`the daemon ended with ${code}`)));
    });
    this.address = new URL(said.url);
    this.token = readFileSync(said.tokenFile, "utf8").trim();
  }

  /** The suite has no way to send a token, so a door in front of the daemon adds it; all else passes as it is. */
  async open() {
    this.door = http.createServer((request, response) => {
      const headers = { ...request.headers, authorization: `Bearer ${this.token}` };
      const { hostname, port } = this.address;
      const onward = http.request({ hostname, port, method: request.method, path: request.url, headers }, (answer) => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
      });
      onward.on("error", () => response.destroy());
      response.on("close", () => onward.destroy());
      request.pipe(onward);
    });
    await new Promise((listening) => this.door.listen(0, "127.0.0.1", listening));
    this.url = `http://localhost:${this.door.address().port}/mcp`;
  }

  async stop() {
    this.door.closeAllConnections();
    this.door.close();
    const gone = new Promise((heard) => this.daemon.once("exit", heard));
    this.daemon.kill("SIGTERM");
    const code = await gone;
    rmSync(this.dir, { recursive: true, force: true });
    if (code !== 0) throw new Error(`the daemon ended with ${code}`);
  }
}
