import { expect, test } from "vitest";
import { ConflictError, DaemonClient, LociError } from "../src/index.js";

/** A client whose daemon always answers this. */
function facing(status: number, body: string, headers: Record<string, string> = {}): DaemonClient {
  return new DaemonClient({ baseUrl: "", token: "t", fetch: async () => new Response(body, { status, headers }) });
}

test("a refusal has status, code, message and the time to wait", async () => {
  const full = facing(429, '{"error":"too many tasks","code":"remember_queue_full"}', { "retry-after": "10" });
  const error: unknown = await full.dreamWorkspaceMemory().catch((e: unknown) => e);
  expect(error).toBeInstanceOf(LociError);
  expect(error).toMatchObject({ status: 429, code: "remember_queue_full", message: "too many tasks", retryAfter: 10 });
});

test.each([
  ['"abc"', "abc"],
  ["null", null],
])("a conflict tells the version that is there: %s", async (json, sha256) => {
  const client = facing(409, `{"error":"changed","code":"conflict","sha256":${json}}`);
  const error: unknown = await client.readFile("/memories/global/a.md").catch((e: unknown) => e);
  expect(error).toBeInstanceOf(ConflictError);
  expect(error).toMatchObject({ status: 409, code: "conflict", sha256 });
});

test("another 409 is no conflict of versions", async () => {
  const error: unknown = await facing(409, '{"error":"over","code":"task_finished"}')
    .cancelTask("dream-1")
    .catch((e: unknown) => e);
  expect(error).toBeInstanceOf(LociError);
  expect(error).not.toBeInstanceOf(ConflictError);
});

test("an answer of something in between is told as such", async () => {
  await expect(facing(502, "<html>").status()).rejects.toMatchObject({ status: 502, code: "invalid_answer" });
  await expect(facing(200, "<html>").status()).rejects.toMatchObject({ status: 200, code: "invalid_answer" });
  await expect(facing(400, "[]").status()).rejects.toMatchObject({ status: 400, code: "invalid_answer" });
});

test("a daemon that is not there is unreachable, with the cause", async () => {
  const cause = new TypeError("fetch failed");
  const client = new DaemonClient({ baseUrl: "", token: "t", fetch: () => Promise.reject(cause) });
  await expect(client.status()).rejects.toMatchObject({ status: 0, code: "unreachable", cause });
});

test("a text that names no task is refused before anything is sent", async () => {
  const client = new DaemonClient({ baseUrl: "", token: "t", fetch: () => Promise.reject(new Error("was sent")) });
  // @ts-expect-error: the type says so too
  await expect(client.waitForTask("nonsense")).rejects.toThrow(TypeError);
});
