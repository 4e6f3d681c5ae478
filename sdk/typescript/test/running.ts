/** A real daemon for tests: its own home, its own checkout, a free port. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type ClientOptions, DaemonClient } from "../src/index.js";

/** The binary under test; without one there is nothing to test against, and that is a failure. */
function binary(): string {
  const path = process.env["LOCI_BIN"];
  if (!path)
    throw new Error("LOCI_BIN is not set: these tests need the `loci` binary, as LOCI_BIN=…/target/release/loci");
  accessSync(path, constants.X_OK);
  return path;
}

/** The settings of the person who runs the tests stay outside. */
const FOREIGN = /^(LOCI_|OPENAI_|ANTHROPIC_|GEMINI_|CLAUDE_|CODEX_|QWEN_|OPENCODE|XDG_|AWS_)/;

export class Running {
  readonly #bin = binary();
  readonly place = mkdtempSync(join(tmpdir(), "loci-sdk-"));
  readonly home = join(this.place, "home");
  readonly checkout = join(this.place, "checkout");
  #process: ChildProcess | undefined;
  url = "";
  token = "";

  private constructor(private readonly env: Record<string, string>) {}

  /** Starts one; `env` is what its person has set. */
  static async start(env: Record<string, string> = {}): Promise<Running> {
    const daemon = new Running(env);
    mkdirSync(daemon.checkout);
    execFileSync("git", ["init", "-q"], { cwd: daemon.checkout });
    await daemon.#serve("0");
    return daemon;
  }

  client(options: Partial<ClientOptions> = {}): DaemonClient {
    return new DaemonClient({ baseUrl: this.url, token: this.token, ...options });
  }

  /** Goes down and, after `meanwhile`, comes up again at the same address. */
  async restart(meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
    await this.#down();
    await meanwhile();
    await this.#serve(new URL(this.url).port);
  }

  async stop(): Promise<void> {
    await this.#down();
    rmSync(this.place, { recursive: true, force: true });
  }

  /** What another command of the same home prints. */
  run(args: string[]): string {
    return execFileSync(this.#bin, args, { cwd: this.checkout, env: this.#environment(), encoding: "utf8" });
  }

  #environment(): NodeJS.ProcessEnv {
    const own = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
    return { ...Object.fromEntries(own), HOME: this.place, LOCI_HOME: this.home, NO_COLOR: "1", ...this.env };
  }

  async #serve(port: string): Promise<void> {
    const process_ = spawn(this.#bin, ["serve", "--port", port, "--json"], {
      cwd: this.checkout,
      env: this.#environment(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#process = process_;
    let complaints = "";
    process_.stderr.on("data", (text: Buffer) => (complaints = (complaints + text).slice(-2000)));
    const lines = createInterface({ input: process_.stdout });
    const [line] = await Promise.race([
      once(lines, "line"),
      once(process_, "exit").then(() => Promise.reject(new Error(`loci serve ended: ${complaints}`))),
    ]);
    const told: { url: string; tokenFile: string } = JSON.parse(String(line));
    this.url = told.url;
    this.token = readFileSync(told.tokenFile, "utf8").trim();
  }

  async #down(): Promise<void> {
    const process_ = this.#process;
    if (!process_ || process_.exitCode !== null || process_.signalCode !== null) return;
    const gone = once(process_, "exit");
    process_.kill("SIGTERM");
    const kill = setTimeout(() => process_.kill("SIGKILL"), 15_000);
    await gone;
    clearTimeout(kill);
  }
}
