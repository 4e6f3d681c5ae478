/** The list of memories: what is there, found, made, moved, removed, and brought back. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { doc, Stage } from "./page";

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
  const save = (path: string, content: string) => stage.client.saveFile({ path, content, expectedSha256: null });
  await save("/memories/global/user/tea.md", doc("Tea", "Drink of choice", "user", "Drinks green tea in the morning."));
  await save("/memories/global/user/deep/down.md", doc("Down", "In a folder", "user", "Far below."));
  await save("/memories/project/atlas.md", doc("Atlas", "When it ships", "project", "Atlas ships on the 14th of March."));
});
afterAll(() => stage?.close());

test("the tree shows scopes with counts, folders first, and rows with use", async () => {
  const { page, wrong } = await stage.visit();
  const lines = page.getByRole("treeitem");
  await page.getByRole("treeitem", { name: "Tea" }).waitFor();
  expect((await lines.allInnerTexts()).map((text) => text.split("\n")[0])).toEqual(["Global", "user", "deep", "Down", "Tea", "Project", "Atlas"]);
  expect(await lines.first().innerText()).toMatch(/Global\s+2/);
  expect(await page.getByRole("treeitem", { name: "Tea" }).innerText()).toMatch(/Drink of choice\s+Never used/);
  await stage.client.recall("green tea");
  await page.reload();
  await page.getByText("Used 1× · just now").waitFor();
  await page.getByRole("treeitem", { name: /^user \d/ }).click();
  await page.getByRole("treeitem", { name: "Tea" }).waitFor({ state: "detached" });
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("search finds by meaning, tells why, and is no use of anything", async () => {
  const { page, wrong } = await stage.visit();
  const before = (await stage.client.listFiles()).files.find((file) => file.name === "Atlas")?.uses;
  await page.keyboard.press("/");
  await page.keyboard.type("when does atlas ship");
  const hit = page.locator("a[data-hit]").first();
  await hit.getByText("Atlas", { exact: true }).waitFor();
  await hit.getByText("“atla” in", { exact: false }).or(hit.getByText("“atlas” in", { exact: false })).first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/memory\/project\/atlas\.md$/);
  expect((await stage.client.listFiles()).files.find((file) => file.name === "Atlas")?.uses).toBe(before);
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("the search is one key away from every view, and nothing that is typed goes elsewhere", async () => {
  const { page, wrong } = await stage.visit();
  const field = page.getByRole("searchbox", { name: "Search memory" });
  for (const view of ["context", "activity", "sessions", "settings"]) {
    await page.evaluate((to) => (location.hash = to), `#/${view}`);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await page.keyboard.press("/");
    // As letters of their own these would open a dialog and another view.
    await page.keyboard.type("n1");
    expect(await field.inputValue(), view).toBe("n1");
    await field.fill("");
  }
  await page.evaluate(() => (location.hash = "#/settings"));
  await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("search memory");
  await page.keyboard.press("Enter");
  await page.keyboard.type("tea");
  expect(await field.inputValue()).toBe("tea");
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("a memory is made, moved, deleted, and undone", async () => {
  const { page, wrong } = await stage.visit();
  await page.keyboard.press("n");
  await page.getByLabel("Name").fill("Cats and dogs");
  await page.getByLabel("In one line").fill("Both: at home");
  await page.getByLabel("What should be remembered").fill("Two cats, one dog.");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("n");
  expect(await page.getByLabel("Name").inputValue(), "nothing typed is lost").toBe("Cats and dogs");
  await page.getByRole("button", { name: "Create" }).click();
  await page.waitForURL(/cats-and-dogs\.md$/);
  const made = await stage.client.readFile("/memories/global/user/cats-and-dogs.md");
  expect(made.content).toBe('---\nname: Cats and dogs\ndescription: "Both: at home"\ntype: user\n---\nTwo cats, one dog.\n');

  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByLabel("New path").fill("/memories/global/pets/all.md");
  await page.getByRole("button", { name: "Move" }).click();
  await page.waitForURL(/pets\/all\.md$/);
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.waitForURL(/#\/memory$/);
  await page.getByRole("treeitem", { name: "Cats and dogs" }).waitFor({ state: "detached" });
  await page.getByText("Deleted: Cats and dogs").waitFor();
  await stage.client.saveFile({ path: "/memories/global/other.md", content: "Meanwhile.\n", expectedSha256: null });
  await page.locator(".toast", { hasText: "Deleted" }).getByRole("button", { name: "Undo" }).click();
  await page.getByRole("treeitem", { name: "Cats and dogs" }).waitFor();
  expect((await stage.client.readFile("/memories/global/pets/all.md")).content).toBe(made.content);
  expect((await stage.client.readFile("/memories/global/other.md")).content).toBe("Meanwhile.\n");
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("a memory of a project is of that kind, unless somebody says otherwise", async () => {
  const { page, wrong } = await stage.visit();
  await page.keyboard.press("n");
  const kind = page.getByLabel("Kind");
  expect(await kind.inputValue()).toBe("user");
  await page.getByLabel("Where").selectOption("project");
  expect(await kind.inputValue()).toBe("project");
  await kind.selectOption("reference");
  await page.getByLabel("Where").selectOption("global");
  expect(await kind.inputValue()).toBe("reference");
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("Enter opens what this query finds, not what the one before did", async () => {
  const { page, wrong } = await stage.visit();
  const field = page.getByRole("searchbox", { name: "Search memory" });
  await field.fill("green tea in the morning");
  await page.locator("a[data-hit]").first().getByText("Tea", { exact: true }).waitFor();
  await field.fill("when does atlas ship");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\.md$/);
  expect(page.url()).toMatch(/project\/atlas\.md$/);
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("the old address of a moved memory leads to the new one", async () => {
  await stage.client.saveFile({ path: "/memories/global/old.md", content: "Moved along.\n", expectedSha256: null });
  await stage.client.renameFile({ path: "/memories/global/old.md", newPath: "/memories/global/new.md" });
  const { page, wrong } = await stage.visit("/memory/global/old.md");
  await page.getByRole("link", { name: "Open it there" }).click();
  await page.waitForURL(/global\/new\.md$/);
  await page.locator(".cm-content").getByText("Moved along.").waitFor();
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("pins are set and cleared", async () => {
  const { page, wrong } = await stage.visit("/memory/global/user/tea.md");
  await page.locator("article").getByRole("button", { name: "Pin" }).click();
  await page.locator("article").getByRole("button", { name: "Unpin" }).waitFor();
  expect((await stage.client.listFiles()).files.filter((file) => file.pinned).map((file) => file.name)).toEqual(["Tea"]);
  await page.locator("article").getByRole("button", { name: "Unpin" }).click();
  await page.locator("article").getByRole("button", { name: "Pin:" }).waitFor();
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("what an agent does appears within a second, with a badge until it is opened", async () => {
  const { page, wrong } = await stage.visit();
  await page.getByRole("img", { name: "Live" }).waitFor();
  const start = Date.now();
  const file_text = doc("From an agent", "Fresh", "project", "News.");
  await stage.client.callTool({ mode: "exec", command: "create", path: "/memories/global/agent.md", file_text } as never);
  const row = page.getByRole("treeitem", { name: "From an agent" });
  await row.waitFor();
  expect(Date.now() - start).toBeLessThan(1000);
  await row.getByText("agent edited").waitFor();
  await row.click();
  await page.locator(".cm-content").waitFor();
  await row.getByText("agent edited").waitFor({ state: "detached" });
  await page.reload();
  await row.waitFor();
  expect(await row.getByText("agent edited").count()).toBe(0);
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("everything can be done by keyboard alone", async () => {
  const { page, wrong } = await stage.visit();
  await page.getByRole("treeitem", { name: "Tea" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("atlas");
  await page.keyboard.press("Enter");
  await page.waitForURL(/atlas\.md$/);
  await page.getByRole("tree").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("treeitem", { name: "Tea" }).waitFor({ state: "detached" });
  await page.keyboard.press("ArrowRight");
  await page.getByRole("treeitem", { name: "Tea" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByText("Search memory").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("2");
  await page.getByRole("heading", { name: "Context" }).waitFor();
  expect(wrong).toEqual([]);
  await page.context().close();
});
