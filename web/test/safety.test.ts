/** Hostile content, narrow pages, assistive technology, and a thousand memories. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { furnish } from "./furniture";
import { doc, Stage } from "./page";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PAYLOADS = [
  '<img src=x onerror="alert(1)">',
  "<script>alert(2)</script>",
  '"><svg onload=alert(3)>',
  "<iframe srcdoc='<script>alert(4)</script>'></iframe>",
  "[click](javascript:alert(5)) ![x](https://evil.example/x.png)",
  "{@html '<b>6</b>'} {{constructor.constructor('alert(7)')()}}",
  "<style>@import 'https://evil.example/x.css';</style><link rel=stylesheet href=https://evil.example/y.css>",
  "</textarea></pre><a href=\"javascript:alert(8)\" autofocus onfocus=alert(9)>x</a>",
];
const VIEWS = ["/memory", "/memory/global/user/terse.md", "/context", "/activity", "/sessions", "/sessions/planning", "/settings"];

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
  await furnish(stage);
});
afterAll(() => stage?.close());

/** What axe finds, once nothing fades in any more: half a colour has half its contrast. */
async function found(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    const ends = (one: Animation) => one.effect?.getComputedTiming().iterations !== Infinity;
    return Promise.allSettled(document.getAnimations().filter(ends).map((one) => one.finished));
  });
  // Over the debugger: the page's own policy lets no such script in, and should not.
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const axe = (globalThis as unknown as { axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> } }).axe;
    const { violations } = await axe.run();
    return violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 240)}`));
  });
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing in any view (${colorScheme})`, async () => {
    const { page, wrong } = await stage.visit("/memory", { colorScheme });
    const wronged: string[] = [];
    for (const view of VIEWS) {
      await page.evaluate((hash) => (location.hash = hash), `#${view}`);
      await page.waitForTimeout(700);
      wronged.push(...(await found(page)).map((one) => `${view} ${one}`));
    }
    await page.keyboard.press("Control+k");
    await page.locator("#choices").waitFor();
    wronged.push(...(await found(page)).map((one) => `palette ${one}`));
    expect(wronged).toEqual([]);
    expect(wrong).toEqual([]);
    await page.context().close();
  });
}

test("markup in names, descriptions, bodies and questions stays text", async () => {
  for (const [at, payload] of PAYLOADS.entries()) {
    await stage.client.saveFile({
      path: `/memories/global/hostile/p${at}.md`,
      content: doc(`${payload} evil`, payload, "user", `${payload}\n\nevil words ${at}`),
      expectedSha256: null,
    });
  }
  const { page, wrong } = await stage.visit("/memory");
  await page.getByRole("treeitem", { name: "evil" }).first().waitFor();
  for (const at of PAYLOADS.keys()) {
    await page.evaluate((path) => (location.hash = path), `#/memory/global/hostile/p${at}.md`);
    await page.locator(".cm-content").getByText(`evil words ${at}`).waitFor();
    await page.getByRole("button", { name: "History" }).click();
    await page.locator(".change").first().click();
    await page.locator(".diff").waitFor();
  }
  await page.getByRole("searchbox", { name: "Search memory" }).fill(`evil words ${PAYLOADS[0]}`);
  await page.locator("a[data-hit]").first().waitFor();
  for (const view of ["/context", "/activity", "/sessions/%3Cimg%20src=x%20onerror=alert(1)%3E"]) {
    await page.evaluate((hash) => (location.hash = hash), `#${view}`);
    await page.waitForTimeout(400);
  }
  expect(await page.locator("iframe, img, main script, main style, main link").count()).toBe(0);
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("at 390 pixels nothing is cut off, and one can go in and back", async () => {
  const { page, wrong } = await stage.visit("/memory", { viewport: { width: 390, height: 844 }, hasTouch: true });
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
  await page.getByRole("treeitem", { name: "Terse replies" }).click();
  await page.locator(".cm-content").waitFor();
  expect(await page.getByRole("tree").isVisible()).toBe(false);
  await page.getByRole("link", { name: "Back to the list" }).click();
  await page.getByRole("tree").waitFor();
  for (const view of VIEWS) {
    await page.evaluate((hash) => (location.hash = hash), `#${view}`);
    await page.waitForTimeout(300);
    expect(await wide(), view).toBeLessThanOrEqual(390);
    expect(await found(page), view).toEqual([]);
  }
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("where there is little room, folders give way and names of files stay", async () => {
  const name = "the-name-that-matters-most.md";
  await stage.client.saveFile({ path: `/memories/project/a/long/way/down/into/the/tree/${name}`, content: "Deep down.\n", expectedSha256: null });
  const { page, wrong } = await stage.visit("/activity", { viewport: { width: 390, height: 844 } });
  const seen = async (where: Locator) => {
    await where.waitFor();
    // The whole path may be wider than its place; its end is inside.
    return where.evaluate((one) => {
      const [text, box] = [one.getBoundingClientRect(), one.parentElement?.getBoundingClientRect()];
      return box !== undefined && text.right <= box.right + 1 && box.right <= innerWidth;
    });
  };
  expect(await seen(page.locator(".group bdi", { hasText: name }).first()), "journal").toBe(true);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Commands" }).fill("matters");
  expect(await seen(page.locator("#choices bdi", { hasText: name })), "palette").toBe(true);
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await page.keyboard.type("deep down");
  expect(await seen(page.locator("a[data-hit] bdi", { hasText: name }).first()), "search").toBe(true);
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("at 390 pixels the buttons of a changed document stand in rows", async () => {
  const { page, wrong } = await stage.visit("/memory/global/user/terse.md", { viewport: { width: 390, height: 844 } });
  await page.locator(".cm-content").click();
  await page.keyboard.type("x");
  const tops = async (names: string[]) => {
    const rows = names.map((name) => page.locator("article header").getByRole("button", { name, exact: true }));
    return new Set(await Promise.all(rows.map(async (one) => Math.round((await one.boundingBox())?.y ?? -1)))).size;
  };
  await page.getByRole("button", { name: "Discard changes" }).waitFor();
  expect(await tops(["History", "Rename", "Delete", "Save"])).toBe(1);
  expect(await tops(["Discard changes", "Save"])).toBe(2);
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("a thousand memories scroll and filter without lag", async () => {
  for (let at = 0; at < 900; at++) stage.write(`many/n${at}.md`, doc(`Note ${at}`, `About ${at}`, "user", `Text ${at}.`));
  await stage.client.listFiles();
  const { page, wrong } = await stage.visit("/memory");
  await page.getByRole("treeitem", { name: "many" }).waitFor();
  expect(await page.getByRole("treeitem").count(), "only what is seen is in the page").toBeLessThan(60);
  const usual = await page.evaluate(async () => {
    const tree = document.querySelector("[role=tree]") as HTMLElement;
    const took: number[] = [];
    for (let top = 0; top < tree.scrollHeight; top += 3000) {
      const start = performance.now();
      tree.scrollTop = top;
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      took.push(performance.now() - start);
    }
    // The middle one: a machine that does other things may hold up any single frame.
    return took.sort((a, b) => a - b)[took.length >> 1] ?? Infinity;
  });
  expect(usual).toBeLessThan(100);
  await page.getByRole("tree").focus();
  await page.keyboard.press("End");
  await page.getByRole("searchbox", { name: "Search memory" }).fill("Note 512");
  await page.locator("a[data-hit]").filter({ hasText: "Note 512" }).first().waitFor();
  expect(wrong).toEqual([]);
  await page.context().close();
});
