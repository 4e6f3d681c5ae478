/** Every other view shows what the daemon says, and does what its buttons say. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { furnish } from "./furniture";
import { doc, Stage } from "./page";

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
  await furnish(stage);
});
afterAll(() => stage?.close());

test("context is exactly what an agent gets, in parts with their tokens", async () => {
  const { page, wrong } = await stage.visit("/context");
  await page.getByRole("heading", { name: "Hot memories" }).waitFor();
  const given = await stage.client.context();
  const shown = await page.locator("details pre").allTextContents();
  expect(shown).toEqual(given.parts.map((part) => part.text));
  const sum = given.parts.reduce((all, part) => all + part.tokens, 0);
  await page.getByText(`${sum.toLocaleString("en")} tokens in all`).waitFor();
  await page.getByRole("textbox", { name: "Recall playground" }).fill("when does atlas ship");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.locator(".answer").getByText("Atlas ships in March", { exact: true }).waitFor();
  await page.locator(".answer pre").getByText("## Relevant memory").waitFor();
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("a task is asked for, runs, and is seen to its end", async () => {
  const { page, wrong } = await stage.visit("/activity");
  await page.getByLabel("Remember something").fill("I keep a paper notebook for ideas.");
  await page.getByRole("button", { name: "Remember", exact: true }).click();
  await page.getByText(/Saved .*notebook.*\.md/).waitFor();
  const link = page.locator("li", { hasText: "Saved" }).getByRole("link", { name: /notebook/ });
  expect(await link.getAttribute("href")).toMatch(/^#\/memory\/.*notebook.*\.md$/);
  expect((await stage.client.recall("paper notebook")).hits.length).toBeGreaterThan(0);
  await page.locator(".group", { hasText: "notebook" }).getByRole("button", { name: "Undo" }).click();
  await page.getByText("Taken back", { exact: true }).waitFor();
  expect((await stage.client.recall("paper notebook")).hits.map((hit) => hit.excerpt).join()).not.toContain("paper notebook");
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("the header says so while a dream runs", async () => {
  const { page, wrong } = await stage.visit("/memory");
  const running = { taskId: "dream-1", status: "running", createdAt: new Date().toISOString(), updatedAt: new Date().toISOString(), result: null, error: null };
  await page.route("**/workspace/memory/tasks", (route) => route.fulfill({ json: { tasks: [running] } }));
  await page.locator("header").getByText("dreaming").waitFor();
  await page.unroute("**/workspace/memory/tasks");
  await page.locator("header").getByText("dreaming").waitFor({ state: "detached" });
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("the header says so while memory is switched off", async () => {
  const { page, wrong } = await stage.visit("/memory");
  await stage.client.changeSettings({ "memory.enabled": false } as never);
  await page.reload();
  await page.locator("header").getByText("memory off").click();
  await page.getByRole("switch", { name: /^Memory/ }).click();
  await page.locator("header").getByText("memory off").waitFor({ state: "detached" });
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("a dream that would lose much asks first, and is approved or rejected", async () => {
  const same = Array.from({ length: 12 }, () => "- Ships from Hamburg.").join("\n");
  await stage.client.saveFile({ path: "/memories/global/project/dup.md", content: doc("Dup", "Again and again", "project", same), expectedSha256: null });
  const { page, wrong } = await stage.visit("/activity");
  const proposal = { id: "p1", at: new Date().toISOString(), summary: "Would drop 9 entries", paths: ["/memories/global/project/dup.md"], diff: "--- a\n+++ b\n@@ -1 +1 @@\n-old <b>line</b>\n+new line\n" };
  let waiting = [proposal];
  await page.route("**/memory/proposals", (route) => route.fulfill({ json: { proposals: waiting } }));
  await page.route("**/memory/proposals/p1/*", (route) => {
    waiting = [];
    return route.fulfill({ json: { status: "done", summary: "", touchedScopes: [] } });
  });
  await page.reload();
  const card = page.locator("article", { hasText: "Would drop 9 entries" });
  await card.getByText("old <b>line</b>").waitFor();
  await card.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Done as proposed").waitFor();
  await card.waitFor({ state: "detached" });
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("a job that failed says why and is tried again", async () => {
  const { page, wrong } = await stage.visit("/memory");
  const job = { id: "7", kind: "extract_turn", key: "s-1", project: "p", status: "exhausted", error: "the model said nothing", attempts: 3, updatedAt: new Date().toISOString(), retryAt: null };
  let retried = 0;
  await page.route("**/pipeline/jobs", (route) => route.fulfill({ json: { jobs: [retried ? { ...job, status: "pending", error: null } : job] } }));
  await page.route("**/pipeline/jobs/7/retry", (route) => (retried++, route.fulfill({ json: job })));
  await page.getByRole("link", { name: "Activity" }).click();
  await page.getByText("The model said nothing", { exact: true }).waitFor();
  const row = page.locator("li", { hasText: "s-1" });
  await row.getByText("Learn from a turn").waitFor();
  await row.getByText("given up").waitFor();
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByText("the model said nothing").waitFor({ state: "detached" });
  expect([retried, wrong]).toEqual([1, []]);
  await page.context().close();
});

test("costs are a plot that says its numbers", async () => {
  const { page, wrong } = await stage.visit("/memory");
  const days = Array.from({ length: 30 }, (_, back) => ({ day: `2026-11-${String(30 - back).padStart(2, "0")}`, calls: back % 3, tokens: (back % 3) * 1000, inputTokens: 0, outputTokens: 0, models: [] }));
  await page.route("**/costs?*", (route) => route.fulfill({ json: { days } }));
  await page.getByRole("link", { name: "Activity" }).click();
  await page.getByRole("img", { name: /Tokens per day: .*2,000 tokens, 2 calls/ }).waitFor();
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("sessions are listed, searched and read", async () => {
  const { page, wrong } = await stage.visit("/sessions");
  await page.getByLabel("Search sessions").fill("currency of the invoice");
  await page.getByText("What was said", { exact: true }).waitFor();
  await page.getByRole("link", { name: /currency of the invoice/ }).first().waitFor();
  await page.getByLabel("Search sessions").fill("planning");
  await page.getByRole("link", { name: "planning" }).last().click();
  const talk = page.locator(".said");
  await talk.getByText("Where were we with the billing export?").waitFor();
  await page.getByLabel("Search in this session").fill("JPY");
  await page.getByText("1 message fits").waitFor();
  await talk.getByText("Where were we").waitFor({ state: "detached" });
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("switches are switched for good, and a model is tested", async () => {
  const { page, wrong } = await stage.visit("/settings");
  await page.getByRole("switch", { name: /^Recall/ }).click();
  await page.getByText("Saved").waitFor();
  expect((await stage.client.settings()).settings.find((row) => row.key === "recall.enabled")?.value).toBe(false);
  await page.reload();
  expect(await page.getByRole("switch", { name: /^Recall/ }).isChecked()).toBe(false);
  await page.getByRole("switch", { name: /^Recall/ }).click();
  await expect.poll(async () => (await stage.client.settings()).settings.find((row) => row.key === "recall.enabled")?.value).toBe(true);
  const test = page.getByRole("button", { name: "Test" }).first();
  expect(await test.isDisabled(), "there is no model to ask").toBe(true);
  await page.getByText("Change default").click();
  await page.getByLabel("Provider").first().selectOption("ollama");
  await page.getByLabel("Model", { exact: true }).first().fill("none");
  await page.getByLabel("Address").first().fill("http://127.0.0.1:9");
  await page.locator("details", { hasText: "Change default" }).getByRole("button", { name: "Save" }).click();
  await test.click();
  await page.getByRole("status").getByText(/127\.0\.0\.1|reach|answer|connect/i).first().waitFor({ timeout: 30_000 });
  await stage.client.changeSettings({ "models.default.provider": null, "models.default.model": null, "models.default.base_url": null } as never);
  await page.getByLabel("Filter settings").fill("recall.limit");
  await page.getByRole("button", { name: /^recall\.limit/ }).click();
  await page.getByRole("dialog").getByLabel("recall.limit").fill("7");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect.poll(async () => (await stage.client.settings()).settings.find((row) => row.key === "recall.limit")?.value).toBe(7);
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("an agent is connected after its changes were shown, and disconnected without a trace", async () => {
  mkdirSync(join(stage.daemon.place, ".cursor"), { recursive: true });
  const config = join(stage.daemon.place, ".cursor", "mcp.json");
  const { page, wrong } = await stage.visit("/settings");
  const row = page.locator("li", { hasText: "Cursor" });
  await row.getByRole("button", { name: "Connect", exact: true }).click();
  await page.getByRole("dialog").getByText("mcp.json").first().waitFor();
  expect(existsSync(config)).toBe(false);
  await page.getByRole("dialog").getByRole("button", { name: "Connect" }).click();
  await row.getByText("connected").waitFor();
  expect(readFileSync(config, "utf8")).toContain("loci");
  await row.getByRole("button", { name: "Disconnect" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
  await row.getByRole("button", { name: "Connect", exact: true }).waitFor();
  expect(existsSync(config)).toBe(false);
  expect(wrong).toEqual([]);
  await page.context().close();
});
