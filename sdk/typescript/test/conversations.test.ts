/** Conversations and workspaces, against the real daemon. */
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

test("files of a workspace are written by version", async () => {
  const { id } = await client.addWorkspace({ name: "notes", config: { storage: { provider: "local" } } });
  const made = await client.writeWorkspaceFile(id, { path: "plans/a.md", content: "one", expectedSha256: null });
  const late = client.writeWorkspaceFile(id, { path: "plans/a.md", content: "two", expectedSha256: null });
  await expect(late).rejects.toBeInstanceOf(ConflictError);
  expect(await client.readWorkspaceFile(id, "plans/a.md")).toMatchObject({ content: "one", sha256: made.sha256 });
  await client.renameWorkspaceFile(id, { path: "plans/a.md", newPath: "b.md" });
  expect((await client.workspaceFiles(id)).files.map(({ path }) => path)).toEqual(["b.md"]);
  await client.removeWorkspaceFile(id, "b.md");
  await client.removeWorkspace(id);
  await expect(client.workspace(id)).rejects.toMatchObject({ status: 404, code: "workspace_not_found" });
});

test("a turn goes from claim to release, and its event is taken once", async () => {
  const workspace = await client.addWorkspace({ name: "desk", config: { storage: { provider: "local" } } });
  const sandbox = await client.addSandbox({ name: "box", kind: "local" });
  const agent = await client.addAgent({
    system: "Be brief.",
    sandbox: sandbox.id,
    workspaces: [{ name: "desk", workspaceId: workspace.id }],
  });
  const begin = { eventId: "e-1", agentId: agent.id, events: [{ role: "user", content: "hi" }] };
  const turn = await client.beginTurn("talk/1", begin);
  if (turn.turnId === undefined) throw new Error("the event is new");
  expect(turn.system[0]).toMatchObject({ name: "agent", text: "Be brief." });
  expect(await client.beginTurn("talk/1", begin)).toEqual({ duplicate: true });
  const wrote = await client.callTurnTool("talk/1", turn.turnId, "write", { path: "MEMORY.md", content: "a fact" });
  expect(wrote.success).toBe(true);
  expect((await client.renewTurn("talk/1", turn.turnId)).lease.token).toBe(turn.lease.token);
  await client.completeTurn("talk/1", turn.turnId, [{ role: "assistant", content: "hello" }]);
  const shown = await client.conversation("talk/1");
  expect(shown.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  await client.removeConversation("talk/1");
  expect((await client.listConversations()).conversations).toEqual([]);
});

test("an account of its own sees nothing of local", async () => {
  const { id, key } = await client.addAccount("beta");
  const beta = daemon.client({ token: key });
  expect(await beta.me()).toEqual({ id, name: "beta" });
  expect((await beta.listWorkspaces()).workspaces).toEqual([]);
  await expect(beta.listAccounts()).rejects.toMatchObject({ status: 403, code: "forbidden" });
  await client.removeAccount(id);
  await expect(beta.me()).rejects.toMatchObject({ status: 401 });
});
