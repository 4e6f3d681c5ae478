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
const HUGE = { width: 3840, height: 2160 };

const VIEWS: [string, string, ((page: Page) => Promise<unknown>)?][] = [
  ["memory", "/memory"],
  ["editor", "/memory/global/user/terse.md", (page) => page.locator(".cm-content").waitFor()],
  ["history", "/memory/global/user/terse.md", async (page) => {
    await page.getByRole("button", { name: "History" }).click();
    await page.locator(".change").first().click();
    await page.locator(".diff").waitFor();
  }],
  ["search", "/memory", async (page) => {
    await page.getByRole("searchbox", { name: "Search memory" }).fill("when does atlas ship");
    await page.getByText("By meaning and words").waitFor();
  }],
  ["conflict", "/memory/project/project/atlas.md", async (page) => {
    await page.locator(".cm-content").getByText("Billing export").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" Ask Ada.");
    const { content, sha256 } = await stage.client.readFile(ATLAS);
    const other = content.replace("the last open part", "done, but for JPY");
    await stage.client.saveFile({ path: ATLAS, content: other, expectedSha256: sha256 });
    await page.getByRole("button", { name: "Merge" }).click();
    await page.getByText("Two versions").waitFor();
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
  ["sessions", "/sessions/planning", (page) => page.getByText("The CSV writer is done").waitFor()],
  ["empty", "/activity", async (page) => {
    await page.route("**/memory/files", (route) => route.fulfill({ json: { files: [] } }));
    await page.goto(page.url().replace(/#.*/, "#/memory"));
    await page.reload();
    await page.getByText("Nothing is remembered yet").waitFor();
  }],
  ["proposal", "/memory", async (page) => {
    const diff = "--- a/user/terse.md\n+++ b/user/terse.md\n@@ -5,4 +5,3 @@\n-Keep replies short; no summary at the end.\n-Replies should be short.\n+Keep replies short; no summary at the end.\n";
    const proposal = { id: "p1", at: new Date().toISOString(), summary: "Would merge 9 entries into 4", paths: ["/memories/global/user/terse.md"], diff };
    const days = Array.from({ length: 30 }, (_, back) => ({ day: `2026-10-${String(30 - back).padStart(2, "0")}`, calls: 4, tokens: Math.round(9000 + 8000 * Math.sin(back)), inputTokens: 0, outputTokens: 0, models: [] }));
    const job = { id: "7", kind: "extract_turn", key: "9f1c-planning", project: "p", status: "exhausted", error: "the model did not answer in time", attempts: 3, updatedAt: new Date().toISOString(), retryAt: null };
    await page.route("**/memory/proposals", (route) => route.fulfill({ json: { proposals: [proposal] } }));
    await page.route("**/costs?*", (route) => route.fulfill({ json: { days } }));
    await page.route("**/pipeline/jobs", (route) => route.fulfill({ json: { jobs: [job] } }));
    await page.getByRole("link", { name: "Activity" }).click();
    await page.getByText("Would merge").waitFor();
  }],
  ["connect", "/settings", async (page) => {
    await page.getByRole("button", { name: "Connect", exact: true }).first().click();
    await page.getByRole("dialog").waitFor();
  }],
  ["settings", "/settings", (page) => page.getByRole("heading", { name: "Agents" }).waitFor()],
];

const ATLAS = "/memories/project/project/atlas.md";
let stage: Stage;
beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  stage = await Stage.open();
  await furnish(stage);
});
afterAll(() => stage?.close());

for (const theme of ["light", "dark"] as const) {
  for (const [width, viewport] of [["wide", WIDE], ["narrow", NARROW], ["huge", HUGE]] as const) {
    if (width === "huge" && theme === "dark") continue;
    test(`${theme} ${width}`, async () => {
      for (const [name, hash, ready] of VIEWS) {
        const { page } = await stage.visit(hash, { colorScheme: theme, viewport, hasTouch: width === "narrow" });
        await ready?.(page);
        await page.waitForTimeout(350);
        await page.screenshot({ path: `${FOLDER}${name}-${theme}-${width}.png` });
        await page.context().close();
        if (name === "conflict") await stage.client.undo();
      }
      const { page } = await stage.stranger({ colorScheme: theme, viewport });
      await page.goto(stage.daemon.url);
      await page.getByLabel("Token").waitFor();
      await page.screenshot({ path: `${FOLDER}door-${theme}-${width}.png` });
      await page.context().close();
    });
  }
}
