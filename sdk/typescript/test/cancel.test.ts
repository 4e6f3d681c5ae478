/** Ending what takes long, against a daemon whose model never answers. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Running } from "./running.js";

const silent = createServer(() => undefined);
let daemon: Running;
beforeAll(async () => {
  await once(silent.listen(0, "127.0.0.1"), "listening");
  const { port } = silent.address() as AddressInfo;
  daemon = await Running.start({
    LOCI_MODEL_PROVIDER: "openai",
    LOCI_MODEL: "silent",
    LOCI_MODEL_BASE_URL: `http://127.0.0.1:${port}/v1`,
    LOCI_MODEL_API_KEY: "test-key",
  });
});
afterAll(async () => {
  await daemon?.stop();
  silent.closeAllConnections();
  silent.close();
});

test("an abort ends a wait with its reason, and the task goes on until it is cancelled", async () => {
  const client = daemon.client();
  const asked = once(silent, "request");
  const { taskId } = await client.rememberWorkspaceMemory("I prefer tea.");
  await asked;
  const stop = new AbortController();
  const wait = client.waitForTask(taskId, { signal: stop.signal });
  setTimeout(() => stop.abort(new Error("enough")), 300);
  await expect(wait).rejects.toThrow("enough");
  expect((await client.getWorkspaceMemoryRememberTask(taskId)).status).toBe("running");

  const waiting = await client.dreamWorkspaceMemory();
  expect(await client.cancelTask(waiting.taskId)).toMatchObject({ status: "cancelled", result: null });
  await client.cancelTask(taskId);
  expect(await client.waitForTask(taskId)).toMatchObject({ status: "cancelled", result: null });
  await expect(client.cancelTask(taskId)).rejects.toMatchObject({ status: 409, code: "task_finished" });
});

test("an abort ends a single call with its reason", async () => {
  const stop = new AbortController();
  stop.abort(new Error("enough"));
  await expect(daemon.client().status({ signal: stop.signal })).rejects.toThrow("enough");
});
