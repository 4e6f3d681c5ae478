/** Signing in: by link, by pasting, and out again; the token is in no address that is sent. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Stage } from "./page";

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage?.close());

test("a link signs in, and the token leaves the address at once", async () => {
  const { page, wrong } = await stage.visit();
  expect(page.url()).toBe(`${stage.daemon.url}/#/memory`);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(stage.daemon.token);
  await page.reload();
  await page.getByRole("navigation").waitFor();
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("without a link the token is pasted; a wrong one says so", async () => {
  const { page, wrong } = await stage.stranger();
  await page.goto(stage.daemon.url);
  await page.getByLabel("Token").fill("nonsense");
  await page.getByRole("button", { name: "Open memory" }).click();
  const told = page.getByRole("alert");
  await told.getByText("does not open").waitFor();
  // The parts of a flex box stand in boxes of their own: a sentence with something to type in it has to be one part.
  const parts = await told.evaluate((one) => [...one.childNodes].filter((part) => part.textContent?.trim()).length);
  expect(parts).toBe(1);
  await page.getByLabel("Token").fill(stage.daemon.token);
  await page.getByRole("button", { name: "Open memory" }).click();
  await page.getByRole("tree").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Token").waitFor();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("a link that is badly written leads to the door, and breaks nothing", async () => {
  const { page, wrong } = await stage.stranger();
  await page.goto(`${stage.daemon.url}/#token=%E0%A4%A`);
  await page.getByLabel("Token").waitFor();
  expect(wrong).toEqual([]);
  await page.context().close();
});

test("the first paint is there within a second", async () => {
  const { page } = await stage.visit();
  await page.reload();
  await page.getByRole("tree").waitFor();
  // The entry is written by the compositor, perhaps after the tree is there: wait for it instead of looking once.
  const paint = await page.evaluate(
    () =>
      new Promise<number>((told) => {
        new PerformanceObserver((list) => {
          for (const entry of list.getEntriesByName("first-contentful-paint")) told(entry.startTime);
        }).observe({ type: "paint", buffered: true });
      }),
  );
  expect(paint).toBeLessThan(1000);
  await page.context().close();
});

test("a daemon that is away costs no view", async () => {
  await stage.client.saveFile({ path: "/memories/global/away.md", content: "Still here.\n", expectedSha256: null });
  const { page } = await stage.visit("/memory");
  await page.getByRole("treeitem", { name: "away" }).waitFor();
  const views = ["Context", "Activity", "Sessions", "Settings"];
  await page.waitForFunction((parts) => {
    const came = performance.getEntriesByType("resource").map(({ name }) => name.split("/").at(-1) ?? "");
    return parts.every((part) => came.some((name) => name.startsWith(`${part}-`) && name.endsWith(".js")));
  }, views);
  await stage.daemon.restart(async () => {
    for (const view of views) {
      await page.getByRole("link", { name: view, exact: true }).click();
      await page.getByRole("heading", { name: view, exact: true, level: 1 }).waitFor();
    }
  });
  await page.context().close();
});

test("a part of the page that does not come says so, and the rest goes on", async () => {
  const { page } = await stage.stranger();
  await page.route("**/assets/Settings-*.js", (route) => route.abort());
  await page.goto(`${stage.daemon.url}/#token=${encodeURIComponent(stage.daemon.token)}`);
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("alert").getByText("this part of the page is missing").waitFor();
  await page.unroute("**/assets/Settings-*.js");
  await page.getByRole("button", { name: "Reload the page" }).click();
  await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
  await page.context().close();
});

test("a daemon that restarts is found again by itself", async () => {
  const { page, wrong } = await stage.visit();
  await page.getByRole("img", { name: "Live" }).waitFor();
  await stage.daemon.restart();
  await stage.client.saveFile({ path: "/memories/global/back.md", content: "Back again.\n", expectedSha256: null });
  await page.getByRole("treeitem", { name: "back" }).waitFor();
  expect(wrong.filter((one) => !one.includes("ERR_"))).toEqual([]);
  await page.context().close();
});
