/** A real daemon and a real browser, for tests: each has its own home, and every page is watched. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DaemonClient } from "@loci/sdk";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { Running } from "../../sdk/typescript/test/running";

/** What a page did that it must not: dialogs, errors, breaches of its policy, requests to anywhere else. */
export interface Watched {
  page: Page;
  wrong: string[];
}

export class Stage {
  private constructor(
    readonly daemon: Running,
    readonly browser: Browser,
  ) {}

  static async open(env: Record<string, string> = {}): Promise<Stage> {
    const daemon = await Running.start(env);
    // Root has no namespace of its own to be locked into.
    const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    const browser = await chromium.launch({ executablePath: chromiumPath(), args });
    return new Stage(daemon, browser);
  }

  get client(): DaemonClient {
    return this.daemon.client();
  }

  /** Writes a document as an editor would, behind everybody's back. */
  write(path: string, text: string): void {
    const file = join(this.daemon.home, "memory", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** A new visitor, signed in, at an address. */
  async visit(hash = "/memory", options: BrowserContextOptions = {}): Promise<Watched> {
    const watched = await this.stranger(options);
    await watched.page.goto(`${this.daemon.url}/#token=${encodeURIComponent(this.daemon.token)}`);
    await watched.page.getByRole("navigation").waitFor();
    if (hash !== "/memory") await watched.page.evaluate((to) => (location.hash = to), `#${hash}`);
    return watched;
  }

  /** A new visitor at no address yet. */
  async stranger(options: BrowserContextOptions = {}): Promise<Watched> {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const wrong: string[] = [];
    page.on("dialog", (dialog) => {
      if (dialog.type() !== "beforeunload") wrong.push(`dialog: ${dialog.message()}`);
      void dialog.accept();
    });
    page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
    page.on("console", (message) => {
      const text = message.text();
      // The browser itself tells every refused request; tests provoke some.
      if (message.type() === "error" && !text.startsWith("Failed to load resource")) wrong.push(`console: ${text}`);
    });
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.origin !== this.daemon.url) wrong.push(`request to ${url.origin}`);
      if (url.href.includes(this.daemon.token)) wrong.push(`token in ${url.pathname}`);
    });
    return { page, wrong };
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.daemon.stop();
  }
}

function chromiumPath(): string {
  const given = process.env["LOCI_CHROMIUM"];
  const found = [given, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
    (path) => path !== undefined && existsSync(path),
  );
  if (!found) throw new Error("there is no Chromium; install the package `chromium`, or set LOCI_CHROMIUM to one");
  return found;
}

export function doc(name: string, description: string, type: string, body: string): string {
  return `---\nname: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(description)}\ntype: ${type}\n---\n${body}\n`;
}
