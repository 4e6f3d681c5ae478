// Runs everything against LOCI_BIN and ends with `N passed, N failed`. A word as argument: only what has it in its name.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { overHttp, overStdio } from "./client.mjs";
import { LOCI, Machine } from "./machine.mjs";
import { SCENARIOS } from "./scenarios.mjs";

const BIN = new URL("node_modules/.bin/", import.meta.url).pathname;

/** Runs one of the suites' programs; throws what it printed unless it succeeds. */
function program(name, args, options = {}) {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [BIN + name, ...args], { stdio: ["ignore", "pipe", "pipe"], ...options });
    let said = "";
    child.stdout.on("data", (part) => (said += part));
    child.stderr.on("data", (part) => (said += part));
    child.once("exit", (code) => (code === 0 ? done(said) : failed(new Error(`exit ${code}\n${said.trim()}`))));
  });
}

const inspect = (machine, target, ...args) =>
  program("mcp-inspector", ["--cli", ...target, ...args], { cwd: machine.project, env: machine.env });

/** A scenario; a check that only a test server's own tool could exercise is none of ours, and says so itself. */
async function conform(machine, revision, name) {
  const results = mkdtempSync(join(machine.dir, "results-"));
  const flags = ["server", "--url", machine.url, "--scenario", name, "--spec-version", revision, "-o", results];
  try {
    await program("conformance", flags, { env: machine.env });
  } catch (error) {
    const [folder] = readdirSync(results);
    const checks = JSON.parse(readFileSync(join(results, folder, "checks.json"), "utf8"));
    const broken = checks.filter((check) => check.status === "FAILURE" && !/^Not testable: /.test(check.errorMessage));
    if (broken.length > 0) throw error;
  }
}

function steps(machine) {
  const http = [machine.address.href + "mcp", "--transport", "http", "--header", `Authorization: Bearer ${machine.token}`];
  const all = [["client over stdio", () => overStdio(machine)], ["client over HTTP", () => overHttp(machine)]];
  for (const [word, target] of [["stdio", [LOCI, "mcp"]], ["HTTP", http]]) {
    for (const method of ["tools/list", "resources/list", "prompts/list"]) {
      const strict = method === "tools/list" ? ["--strict"] : [];
      all.push([`inspector over ${word}: ${method}`, () => inspect(machine, target, "--method", method, ...strict)]);
    }
  }
  for (const [revision, names] of Object.entries(SCENARIOS)) {
    for (const name of names) {
      all.push([`conformance ${revision}: ${name}`, () => conform(machine, revision, name)]);
    }
  }
  return all;
}

if (!LOCI) throw new Error("LOCI_BIN names no binary");
const machine = await Machine.start();
let [passed, failed] = [0, 0];
for (const [name, step] of steps(machine).filter(([name]) => name.includes(process.argv[2] ?? ""))) {
  try {
    await step();
    passed += 1;
    console.log(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}
await machine.stop();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
