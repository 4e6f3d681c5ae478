/** Memory tasks and the events of a session, against the real daemon. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DaemonEvent, normalizeEvent, type StreamOptions } from "../src/index.js";
import { heard } from "./listening.js";
import { Running } from "./running.js";

let daemon: Running;
beforeAll(async () => {
  daemon = await Running.start();
});
afterAll(() => daemon?.stop());

const done = { status: "completed", error: null };

test("remember, wait, the file is there, and the session hears of it", async () => {
  const client = daemon.client();
  const session = await client.createSession();
  let taskId = "";
  const remember = async () => {
    const posted = await client.rememberWorkspaceMemory("I prefer tabs over spaces.", { clientId: session.clientId });
    taskId = posted.taskId;
    expect(posted).toMatchObject({ status: "queued", contextMode: "workspace" });
    const task = await client.waitForTask(posted.taskId, { clientId: session.clientId });
    expect(task).toMatchObject({ ...done, taskId, result: { touchedScopes: ["user"] } });
    const { files } = await client.listFiles();
    const file = files.find(({ path }) => task.result?.filesTouched[0]?.endsWith(path.replace("/memories/global", "")));
    expect((await client.readFile(file?.path ?? "")).content).toContain("tabs over spaces");
  };
  const listen = (options: StreamOptions) => client.sessionEvents(session.sessionId, options);
  const event = await heard(listen, remember, ({ type }) => type === "memory_changed");
  expect(normalizeEvent(event)).toEqual({
    type: "workspace.memory.changed",
    eventId: event.id,
    scope: "managed",
    source: "workspace_memory_remember",
    taskId,
    touchedScopes: ["user"],
    originatorClientId: session.clientId,
  });
});

test("what was missed is told again", async () => {
  const client = daemon.client();
  const { sessionId } = await client.createSession();
  const listen = (options: StreamOptions) => client.sessionEvents(sessionId, options);
  const remembered = (text: string) => async () =>
    client.waitForTask((await client.rememberWorkspaceMemory(text)).taskId);
  const first = await heard(listen, remembered("I prefer paper notebooks with dots."));
  const missed = await remembered("I prefer fountain pens with blue ink.")();
  let again: DaemonEvent | undefined;
  for await (again of client.sessionEvents(sessionId, { lastEventId: first.id })) break;
  expect(again).toMatchObject({ type: "memory_changed", data: { taskId: missed.taskId } });
});

test("forget removes what a query means", async () => {
  const client = daemon.client();
  const text = "We decided that the Borealis service is written in Rust.";
  await client.waitForTask((await client.rememberWorkspaceMemory(text, { scope: "project" })).taskId);
  const { taskId } = await client.forgetWorkspaceMemory("borealis service rust", { scope: "project" });
  await client.waitForTask(taskId);
  const task = await client.getWorkspaceMemoryForgetTask(taskId);
  expect(task).toMatchObject({ ...done, result: { summary: "Forgot 1 memory entry.", touchedScopes: ["project"] } });
  expect(task.result?.removedEntries).toHaveLength(1);
});

test("dream tidies up", async () => {
  const client = daemon.client();
  const { taskId } = await client.dreamWorkspaceMemory();
  await client.waitForTask(taskId);
  const task = await client.getWorkspaceMemoryDreamTask(taskId);
  expect(task).toMatchObject(done);
  expect(task.result?.dedupedEntries).toBeTypeOf("number");
  await expect(client.cancelTask(taskId)).rejects.toMatchObject({ status: 409, code: "task_finished" });
});

test("a client's tasks are its own", async () => {
  const { clientId } = await daemon.client().registerClient();
  const mine = daemon.client({ clientId });
  const { taskId } = await mine.rememberWorkspaceMemory("I prefer reviews before lunch.");
  await mine.waitForTask(taskId);
  expect((await mine.listTasks()).tasks.map((task) => task.taskId)).toEqual([taskId]);
  await expect(mine.getWorkspaceMemoryRememberTask(taskId)).resolves.toMatchObject(done);
  const others = daemon.client().getWorkspaceMemoryRememberTask(taskId);
  await expect(others).rejects.toMatchObject({ status: 404, code: "remember_task_not_found" });
});

test("what cannot be is refused with its code", async () => {
  const client = daemon.client();
  await expect(client.rememberWorkspaceMemory("  ")).rejects.toMatchObject({ status: 400, code: "invalid_content" });
  await expect(client.forgetWorkspaceMemory("")).rejects.toMatchObject({ status: 400, code: "invalid_query" });
  const nobody = client.dreamWorkspaceMemory({ clientId: "nobody" });
  await expect(nobody).rejects.toMatchObject({ status: 400, code: "invalid_client_id" });
  await expect(client.createSession({ cwd: "/" })).rejects.toMatchObject({ status: 409, code: "workspace_mismatch" });
});
