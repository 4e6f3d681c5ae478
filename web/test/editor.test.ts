/** The editor: no text is lost, whoever writes at the same time. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { doc, Stage } from "./page";

const PATH = "/memories/global/user/tea.md";
const TEA = doc("Tea", "Drink of choice", "user", "First line.\n\nSecond line.\n\nThird line.");
let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage?.close());
beforeEach(() => put(TEA));

async function put(content: string): Promise<void> {
  const now = await stage.client.readFile(PATH).catch(() => null);
  await stage.client.saveFile({ path: PATH, content, expectedSha256: now?.sha256 ?? null });
}

const text = async () => (await stage.client.readFile(PATH)).content;

async function open() {
  const watched = await stage.visit("/memory/global/user/tea.md");
  await watched.page.locator(".cm-content").getByText("First line.").waitFor();
  await watched.page.getByRole("img", { name: "Live" }).waitFor();
  return watched;
}

test("the shortcut saves, and only the form's own line changes", async () => {
  const { page, wrong } = await open();
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("Fourth line.");
  await page.getByText("Unsaved changes").waitFor();
  await page.keyboard.press("Control+s");
  await page.locator(".toast", { hasText: "Saved" }).first().waitFor();
  expect(await text()).toBe(`${TEA}Fourth line.`);
  await page.getByLabel("Description").fill("Now: with a colon");
  await page.getByLabel("Kind").selectOption("feedback");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(text).toBe(`${TEA.replace('"Drink of choice"', '"Now: with a colon"').replace("type: user", "type: feedback")}Fourth line.`);
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("bytes that nobody touched stay: CRLF, unknown keys, no newline at the end", async () => {
  const odd = "---\r\nname: Tea\r\nx-mine: [1, 'two']\r\ntype: user\r\n---\r\nOne\r\nTwo";
  await put(odd);
  const { page, wrong } = await stage.visit("/memory/global/user/tea.md");
  await page.locator(".cm-content").getByText("One").waitFor();
  await page.getByLabel("Description").fill("Added");
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Three");
  await page.keyboard.press("Control+s");
  await page.locator(".toast", { hasText: "Saved" }).first().waitFor();
  expect(await text()).toBe("---\r\nname: Tea\r\nx-mine: [1, 'two']\r\ntype: user\r\ndescription: Added\r\n---\r\nOne\r\nTwo\r\nThree");
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("a change from elsewhere appears at once where nothing was written", async () => {
  const { page, wrong } = await open();
  stage.write("user/tea.md", TEA.replace("Second line.", "Second line, by an editor."));
  await page.locator(".cm-content").getByText("Second line, by an editor.").waitFor({ timeout: 3000 });
  await page.getByText("Updated by an editor").waitFor();
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("a change from elsewhere never takes what is being written", async () => {
  const { page, wrong } = await open();
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("Mine.");
  await put(TEA.replace("First line.", "First line, changed."));
  await page.getByRole("alert").getByText("Changed elsewhere while you write. Your text is safe.").waitFor();
  await page.keyboard.type(" And more.");
  expect(await page.locator(".cm-content").innerText()).toContain("Mine. And more.");
  await page.getByRole("button", { name: "Merge" }).click();
  await page.getByText("Both changes fit together").waitFor();
  await page.getByRole("button", { name: "Save the right side" }).click();
  await page.locator(".toast", { hasText: "Saved" }).first().waitFor();
  expect(await text()).toBe(`${TEA.replace("First line.", "First line, changed.")}Mine. And more.`);
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("two versions of one line are shown side by side, and the person decides", async () => {
  const { page, wrong } = await open();
  await page.locator(".cm-content").getByText("Second line.").click();
  await page.keyboard.press("End");
  await page.keyboard.type(" Mine.");
  // Saved before the page heard of it: the daemon refuses, and nothing is overwritten.
  await page.route("**/memory/events", (route) => route.abort());
  const theirs = TEA.replace("Second line.", "Second line. Theirs.");
  await put(theirs);
  await page.keyboard.press("Control+s");
  await page.getByText("Some lines were changed by both").waitFor();
  expect(await text()).toBe(theirs);
  const [left, right] = [page.locator(".cm-merge-a .cm-content"), page.locator(".cm-merge-b .cm-content")];
  expect(await left.innerText()).toContain("Second line. Theirs.");
  expect(await right.innerText()).toContain("Second line. Mine.");
  const edge = (where: string) =>
    page.locator(where).evaluate((one) => {
      const text = document.createRange();
      text.selectNodeContents(one);
      return text.getBoundingClientRect().left;
    });
  for (const [head, side] of [["first", "a"], ["last", "b"]] as const) {
    const apart = (await edge(`.heads span:${head}-child`)) - (await edge(`.cm-merge-${side} .cm-line >> nth=0`));
    expect(Math.abs(apart), `the heading of side ${side} stands above its text`).toBeLessThan(2);
  }
  await right.getByText("Second line. Mine.").click();
  await page.keyboard.press("End");
  await page.keyboard.type(" And theirs.");
  await page.getByRole("button", { name: "Save the right side" }).click();
  await expect.poll(text).toBe(TEA.replace("Second line.", "Second line. Mine. And theirs."));
  expect(wrong.filter((one) => !one.includes("ERR_FAILED"))).toEqual([]);
  await page.context().close();
});

test("unsaved text outlives a reload, other views, and a deletion from elsewhere", async () => {
  const { page, wrong } = await open();
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("Precious.");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Context" }).click();
  await page.getByRole("heading", { name: "Context" }).waitFor();
  await page.getByRole("link", { name: "Memory" }).click();
  await page.getByRole("treeitem", { name: "Tea" }).getByText("unsaved").waitFor();
  await page.reload();
  await page.getByRole("treeitem", { name: "Tea" }).click();
  await page.locator(".cm-content").getByText("Precious.").waitFor();
  const { sha256 } = await stage.client.readFile(PATH);
  await stage.client.removeFile({ path: PATH, expectedSha256: sha256 });
  await page.getByRole("alert").getByText("Deleted elsewhere").waitFor();
  expect(await page.locator(".cm-content").innerText()).toContain("Precious.");
  await page.keyboard.press("Control+s");
  await expect.poll(() => text().catch(() => "")).toBe(`${TEA}Precious.`);
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("unsaved text comes back with a deletion that is undone", async () => {
  const { page, wrong } = await open();
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("Precious.");
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.locator(".toast", { hasText: "Deleted" }).getByRole("button", { name: "Undo" }).click();
  await page.locator(".cm-content").getByText("Precious.").waitFor();
  await page.getByText("Unsaved changes").waitFor();
  expect(await text()).toBe(TEA);
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("the other side is taken only after a question", async () => {
  const { page, wrong } = await open();
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("Mine.");
  await put(TEA.replace("First line.", "First line, changed."));
  await page.getByRole("button", { name: "Merge" }).click();
  await page.getByRole("button", { name: "Take what is on disk" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  expect(await page.locator(".cm-merge-b .cm-content").innerText()).toContain("Mine.");
  await page.getByRole("button", { name: "Take what is on disk" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Take what is on disk" }).click();
  await page.locator(".cm-mergeView").waitFor({ state: "detached" });
  await page.locator(".cm-content").getByText("First line, changed.").waitFor();
  expect(await page.locator(".cm-content").innerText()).not.toContain("Mine.");
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("history shows what each change did, and restores any", async () => {
  await put(TEA.replace("Third line.", "Third line, new."));
  const { page, wrong } = await open();
  await page.getByRole("button", { name: "History" }).click();
  await page.locator(".change").first().click();
  await page.locator(".diff .minus", { hasText: "Third line." }).waitFor();
  await page.locator(".diff .plus", { hasText: "Third line, new." }).waitFor();
  await page.locator(".change").nth(1).click();
  await page.getByRole("button", { name: "Restore this version" }).click();
  await expect.poll(text).toBe(TEA);
  await page.locator(".toast", { hasText: "Restored" }).getByRole("button", { name: "Undo" }).click();
  await expect.poll(text).toContain("Third line, new.");
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("a secret is refused with its line, and the text stays", async () => {
  const { page, wrong } = await open();
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText(`key ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"}`);
  await page.keyboard.press("Control+s");
  // By the line of the text that is seen, which starts below the header.
  await page.getByRole("alert").getByText("Line 6 looks like a secret (github-token). Take it out, or use loci edit /memories/global/user/tea.md --allow-secret.").waitFor();
  expect(await text()).toBe(TEA);
  await page.getByText("Unsaved changes").waitFor();
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("a secret in the header is told as one", async () => {
  const { page, wrong } = await open();
  await page.getByLabel("Description").fill(`key ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"}`);
  await page.keyboard.press("Control+s");
  await page.getByRole("alert").getByText("another line of the header looks like a secret (github-token)").waitFor();
  await page.getByLabel("Description").fill("Harmless");
  await page.keyboard.press("Control+s");
  await page.locator(".toast", { hasText: "Saved" }).first().waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("a text that goes from right to left is written from the right", async () => {
  await put(doc("שלום", "תיאור", "user", "שלום עולם.\n\nAnd a line from the left."));
  const { page, wrong } = await stage.visit("/memory/global/user/tea.md");
  const line = page.locator(".cm-line", { hasText: "שלום" });
  await line.waitFor();
  const right = await line.evaluate((one) => {
    const text = document.createRange();
    text.selectNodeContents(one);
    return one.getBoundingClientRect().right - text.getBoundingClientRect().right;
  });
  expect(right, "the first word is at the right edge").toBeLessThan(40);
  const direction = (field: string) => page.getByRole("textbox", { name: field }).evaluate((one) => getComputedStyle(one).direction);
  expect([await direction("Name"), await direction("Description")]).toEqual(["rtl", "rtl"]);
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("what was never there is not offered to be brought back", async () => {
  const { page, wrong } = await stage.visit("/memory/global/nope.md");
  await page.getByRole("heading", { name: "There is no memory at this path" }).waitFor();
  expect(await page.getByRole("button", { name: "Bring it back" }).count()).toBe(0);
  await page.locator("article").getByRole("button", { name: "New memory" }).click();
  await page.getByRole("dialog", { name: "New memory" }).waitFor();
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("the generated index is shown as it is, without a form", async () => {
  const { page, wrong } = await stage.visit("/memory/global/MEMORY.md");
  await page.locator(".cm-content").getByText("Tea").first().waitFor();
  expect(await page.getByLabel("Description").count()).toBe(0);
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("a full storage does not let unsaved text go without a question", async () => {
  const { page, wrong } = await open();
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await page.locator(".cm-content").click();
  await page.keyboard.type("Precious.");
  await page.getByText("Unsaved changes").waitFor();
  const asked = page.waitForEvent("dialog");
  await page.reload();
  expect((await asked).type()).toBe("beforeunload");
  expect(wrong).toEqual([]);
  await page.context().close();
});
