/** The calls of curation and of the daemon's own state, against the real daemon. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ConflictError, type DaemonClient } from "../src/index.js";
import { Running } from "./running.js";

let daemon: Running;
let client: DaemonClient;
beforeAll(async () => {
  daemon = await Running.start();
  client = daemon.client();
});
afterAll(() => daemon?.stop());

const document = (body: string) => `---\nname: tea\ndescription: What I drink\ntype: user\n---\n${body}\n`;
const caught = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

test("the committed document is the one that the daemon serves", async () => {
  const committed: unknown = JSON.parse(await readFile(new URL("../openapi.json", import.meta.url), "utf8"));
  const served = await fetch(`${daemon.url}/openapi.json`, { headers: { authorization: `Bearer ${daemon.token}` } });
  expect(await served.json(), "run `npm run document` with this binary").toEqual(committed);
});

test("a wrong token is refused", async () => {
  const stranger = daemon.client({ token: "wrong" });
  expect(await stranger.health()).toEqual({ status: "ok" });
  await expect(stranger.capabilities()).rejects.toMatchObject({ status: 401, code: "unauthorized" });
  const listening = (async () => {
    for await (const _ of stranger.memoryEvents()) break;
  })();
  await expect(listening).rejects.toMatchObject({ status: 401, code: "unauthorized" });
});

test("a file is saved, read, moved, marked, removed, and brought back", async () => {
  const path = "/memories/global/user/tea & biscuits.md";
  const newPath = "/memories/global/user/tea.md";
  const { sha256 } = await client.saveFile({ path, content: document("Green tea."), expectedSha256: null });
  expect(await client.readFile(path)).toEqual({ path, content: document("Green tea."), sha256 });
  expect(await client.renameFile({ path, newPath })).toEqual({ path, newPath });
  expect(await client.pinFile({ path: newPath, pinned: true })).toEqual({ path: newPath, pinned: true });
  expect(await client.trustFile({ path: newPath, trusted: true })).toEqual({ path: newPath, trusted: true });
  const { files } = await client.listFiles();
  expect(files).toMatchObject([
    { path: newPath, scope: "global", type: "user", pinned: true, trust: "trusted", sha256 },
  ]);
  await client.pinFile({ path: newPath, pinned: false });
  expect(await client.removeFile({ path: newPath, expectedSha256: sha256 })).toBeUndefined();
  await expect(client.readFile(newPath)).rejects.toMatchObject({ status: 404, code: "not_found" });
  expect((await client.undo()).changes).toMatchObject([{ path: newPath }]);
  expect((await client.readFile(newPath)).sha256).toBe(sha256);
});

test("who has not seen the version that is there changes nothing and learns of it", async () => {
  const path = "/memories/global/user/conflict.md";
  const { sha256 } = await client.saveFile({ path, content: document("One."), expectedSha256: null });
  const twice = await caught(client.saveFile({ path, content: document("Two."), expectedSha256: null }));
  expect(twice).toBeInstanceOf(ConflictError);
  expect(twice).toMatchObject({ status: 409, code: "conflict", sha256 });
  await client.removeFile({ path, expectedSha256: sha256 });
  const gone = await caught(client.saveFile({ path, content: document("Two."), expectedSha256: sha256 }));
  expect(gone).toBeInstanceOf(ConflictError);
  expect(gone).toMatchObject({ sha256: null });
});

test("history, log and restore", async () => {
  const path = "/memories/global/user/history.md";
  const first = await client.saveFile({ path, content: document("One."), expectedSha256: null });
  await client.saveFile({ path, content: document("Two."), expectedSha256: first.sha256 });
  const { changes } = await client.history(path);
  expect(changes.map(({ op }) => op)).toHaveLength(2);
  expect((await client.log({ path, limit: 1 })).changes).toEqual(changes.slice(0, 1));
  expect(await client.restore({ path, at: changes[1]?.id ?? "" })).toBeUndefined();
  expect((await client.readFile(path)).sha256).toBe(first.sha256);
  await expect(client.undo("nothing")).rejects.toMatchObject({ status: 404 });
});

test("recall, its receipt, and the context", async () => {
  const path = "/memories/global/user/espresso.md";
  await client.saveFile({ path, content: document("I drink espresso after lunch."), expectedSha256: null });
  const { hits, receipt } = await client.recall("espresso after lunch");
  expect(hits[0]).toMatchObject({ path });
  expect((await client.receipt(receipt)).shown[0]).toMatchObject({ path, score: hits[0]?.score });
  expect((await client.recall({ query: "espresso", scope: "project" })).hits).toEqual([]);
  const { text, parts } = await client.context({ query: "espresso after lunch" });
  expect(text).toContain("espresso");
  expect(parts.map(({ name }) => name)).toContain("recall");
});

test("the memory tool looks, and changes things only when it may", async () => {
  const call = { command: "create", path: "/memories/global/user/tool.md", file_text: document("By a tool.") };
  expect(await client.callTool(call)).toMatchObject({ success: false });
  expect(await client.callTool({ ...call, mode: "exec" })).toMatchObject({ success: true });
});

test("state, settings, costs, models and what is past", async () => {
  expect((await client.capabilities()).features).toContain("session_events");
  expect(await client.status()).toMatchObject({ scopes: expect.any(Array) });
  const { settings } = await client.changeSettings({ "recall.limit": 7 });
  expect(settings.find(({ key }) => key === "recall.limit")).toMatchObject({ value: 7, default: 5 });
  await client.changeSettings({ "recall.limit": null });
  expect((await client.settings()).settings.find(({ key }) => key === "recall.limit")).toMatchObject({ value: 5 });
  expect(await client.testModel()).toMatchObject({ ok: false, model: null });
  expect((await client.costs(2)).days[0]).toMatchObject({ calls: 0, tokens: 0, models: [] });
  expect(await client.jobs()).toEqual({ jobs: [] });
  await expect(client.retryJob("7")).rejects.toMatchObject({ status: 404 });
  expect(await client.pastSessions()).toEqual({ sessions: [], hits: [] });
  await expect(client.pastSession("none")).rejects.toMatchObject({ status: 404 });
  expect(await client.proposals()).toEqual({ proposals: [] });
  await expect(client.applyProposal("none")).rejects.toMatchObject({ status: 404 });
  await expect(client.discardProposal("none")).rejects.toMatchObject({ status: 404 });
});

test("an agent is connected and disconnected, and everything else stays", async () => {
  const { agents } = await client.connections();
  expect(agents.map((agent) => agent.agent)).toContain("claude-code");
  const told = await client.connectAgent("cursor", { dryRun: true });
  expect(told.files[0]).toMatchObject({ path: "~/.cursor/mcp.json", change: "created" });
  await client.connectAgent("cursor", { mode: "plan" });
  const connected = (await client.connections()).agents.find((agent) => agent.agent === "cursor");
  expect(connected).toMatchObject({ connected: true, levels: [{ level: "user", mode: "plan" }, {}] });
  expect((await client.disconnectAgent("cursor")).files.map((file) => file.change)).toEqual(["removed", "removed"]);
  await expect(client.connectAgent("nobody")).rejects.toMatchObject({ status: 404, code: "unknown_agent" });
});
