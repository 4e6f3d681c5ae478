/** Thousands of payloads and all of Markdown as body, name, description, file name and question: nothing runs, nothing is fetched. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { doc, Stage } from "./page";
import { markdown, payloads } from "./payloads";

/** Payloads in the body of one document; at night there are more documents, and so more names and descriptions. */
const NIGHT = process.env["LOCI_NIGHTLY"] === "1";
const ALL = payloads();
const MARKDOWN = markdown(NIGHT ? 4 : 40);
const EACH = NIGHT ? 8 : 110;
const PATIENCE = NIGHT ? 900_000 : 120_000;

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage?.close());

/** Bodies of so many payloads, one after the other, each behind a number that one can wait for. */
function bodies(): string[][] {
  const parts: string[][] = [];
  for (let at = 0; at < ALL.length; at += EACH) parts.push(ALL.slice(at, at + EACH));
  return parts;
}

/** What a payload became besides text: elements, addresses, handlers. */
function became(): string[] {
  // The editor's own: it puts an empty image without an address beside what it draws for a sign that cannot be seen.
  const elements = "iframe, img:not(.cm-widgetBuffer), img[src], video, audio, object, embed, marquee, base, main script, main style, main link, main form[action], main math";
  const links = "a[href^='javascript' i], a[href*='evil.example'], a[href^='data:'], a[href^='vbscript'], a[ping]";
  const made = [...document.querySelectorAll(`${elements}, ${links}`)].map((one) => one.outerHTML.slice(0, 200));
  const handlers = [...document.querySelectorAll("*")].flatMap((one) => one.getAttributeNames().filter((name) => name.startsWith("on")));
  return [...made, ...handlers, ...(document.title.includes("pwned") ? [document.title] : [])];
}

async function nothingCame(page: Page): Promise<void> {
  expect(await page.evaluate(became)).toEqual([]);
  expect(new URL(page.url()).origin).toBe(stage.daemon.url);
}

/** Screen after screen of what scrolls, to its end; only what is seen is in the page. */
async function throughout(page: Page, scroller: string): Promise<void> {
  for (let top = 0, bottom = 1; top < bottom; top += 500) {
    bottom = await page.locator(scroller).first().evaluate(async (box, to) => {
      box.scrollTop = to;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return box.scrollHeight;
    }, top);
    await nothingCame(page);
  }
}

test("thousands of payloads and all of Markdown stay text wherever they are shown", async () => {
  expect(ALL.length).toBeGreaterThan(2000);
  const parts = bodies();
  for (const [at, part] of parts.entries()) {
    const [name, description] = [ALL[(at * 97) % ALL.length] ?? "", ALL[(at * 89 + 7) % ALL.length] ?? ""];
    const body = `${part.join("\n\n")}\n\nthe end of ${at}`;
    stage.write(`hostile/p${at}.md`, doc(`${name} evil ${at}`, description, "user", body));
  }
  for (const [at, text] of MARKDOWN.entries()) stage.write(`hostile/m${at}.md`, doc(`Markdown ${at}`, text.slice(0, 80), "reference", `${text}\nthe end of m${at}`));
  await stage.client.listFiles();
  const { page, wrong } = await stage.visit("/memory");
  const answer = await page.request.get(stage.daemon.url);
  const policy = answer.headers()["content-security-policy"] ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe-inline");
  expect(policy).not.toContain("unsafe-eval");
  await page.getByRole("treeitem", { name: "evil" }).first().waitFor();
  await throughout(page, "[role=tree]");
  // Every body, name and description in the editor, to its end.
  const files = [...parts.keys()].map((at) => `p${at}`).concat([...MARKDOWN.keys()].map((at) => `m${at}`));
  for (const file of files) {
    await page.evaluate((path) => (location.hash = path), `#/memory/global/hostile/${file}.md`);
    const editor = page.locator(".cm-content");
    await page.getByText(`hostile/${file}.md`).first().waitFor();
    await editor.waitFor();
    await throughout(page, ".cm-scroller");
    await editor.getByText(`the end of ${file.replace("p", "")}`, { exact: true }).waitFor();
  }
  expect(wrong).toEqual([]);
  // And the net has no hole: what is put into the page is found.
  await page.evaluate(() => document.querySelector("main")?.insertAdjacentHTML("beforeend", "<marquee></marquee><a href=JavaScript:1>x</a>"));
  expect(await page.evaluate(became)).toHaveLength(2);
  await page.context().close();
}, PATIENCE);

test("payloads as questions, addresses and what recall finds stay text", async () => {
  const { page, wrong } = await stage.visit("/memory");
  const box = page.getByRole("searchbox", { name: "Search memory" });
  const asked = ALL.filter((_, at) => at % (NIGHT ? 40 : 260) === 0);
  for (const payload of asked) {
    await box.fill(`evil ${payload.replaceAll("\n", " ")}`);
    await page.locator("a[data-hit]").first().waitFor();
    await nothingCame(page);
  }
  await box.fill("");
  for (const payload of asked) {
    for (const view of ["memory/global", "sessions", "context", ""]) {
      await page.evaluate((hash) => (location.hash = hash), `#/${view}/${encodeURIComponent(payload)}`);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await nothingCame(page);
    }
  }
  expect(wrong).toEqual([]);
  await page.context().close();
}, PATIENCE);
