/** Pictures of every view, light and dark, wide and narrow: `npm run screenshots`, then look at `test/.shots`. */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { furnish } from "./furniture";
import { Stage } from "./page";

const FOLDER = fileURLToPath(new URL(".shots/", import.meta.url));
const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 844 };

const VIEWS: [string, string, ((page: Page) => Promise<unknown>)?][] = [
  ["memory", "/memory"],
  ["editor", "/memory/project/project/atlas.md", (page) => page.locator(".cm-content").waitFor()],
  ["history", "/memory/global/user/terse.md", async (page) => {
    await page.getByRole("button", { name: "History" }).click();
    await page.locator(".change").first().click();
    await page.locator(".diff").waitFor();
  }],
  ["search", "/memory", async (page) => {
    await page.getByRole("searchbox", { name: "Search memory" }).fill("when does atlas ship");
    await page.getByText("By meaning and words").waitFor();
  }],
  ["create", "/memory", async (page) => {
    await page.getByRole("button", { name: "New memory" }).first().click();
    await page.getByRole("dialog").waitFor();
  }],
  ["palette", "/memory", async (page) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
  }],
  ["context", "/context", async (page) => {
    await page.getByLabel("With a question").fill("when does atlas ship");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByRole("heading", { name: "Recall", exact: true }).waitFor();
  }],
  ["activity", "/activity", (page) => page.getByRole("heading", { name: "Journal" }).waitFor()],
  ["sessions", "/sessions/planning", (page) => page.getByText("Where were we").waitFor()],
  ["settings", "/settings", (page) => page.getByRole("heading", { name: "Agents" }).waitFor()],
];

let stage: Stage;
beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  stage = await Stage.open();
  await furnish(stage);
});
afterAll(() => stage?.close());

for (const theme of ["light", "dark"] as const) {
  for (const [width, viewport] of [["wide", WIDE], ["narrow", NARROW]] as const) {
    test(`${theme} ${width}`, async () => {
      for (const [name, hash, ready] of VIEWS) {
        const { page } = await stage.visit(hash, { colorScheme: theme, viewport, hasTouch: width === "narrow" });
        await ready?.(page);
        await page.waitForTimeout(350);
        await page.screenshot({ path: `${FOLDER}${name}-${theme}-${width}.png` });
        await page.context().close();
      }
      const { page } = await stage.stranger({ colorScheme: theme, viewport });
      await page.goto(stage.daemon.url);
      await page.getByLabel("Token").waitFor();
      await page.screenshot({ path: `${FOLDER}door-${theme}-${width}.png` });
      await page.context().close();
    });
  }
}
