import { expect, test } from "vitest";
import { DaemonClient } from "../src/index.js";
import { pause, Pauses } from "../src/pauses.js";

test("pauses grow up to the limit and start over", () => {
  const pauses = new Pauses(100, 500);
  const seen = Array.from({ length: 6 }, () => pauses.next());
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect([seen[0], seen.at(-1)]).toEqual([100, 500]);
  pauses.reset();
  expect(pauses.next()).toBe(100);
});

test("a pause that is cut short leaves nothing on the signal", async () => {
  const stop = new AbortController();
  const waiting = pause(60_000, stop.signal);
  stop.abort("enough");
  await expect(waiting).rejects.toBe("enough");
  await expect(pause(60_000, stop.signal)).rejects.toBe("enough");
});

test("who waits for a task asks again after a refusal for asking too often, and not after others", async () => {
  const answers = [
    Response.json({ status: "queued" }),
    Response.json({ error: "slow down", code: "rate_limited" }, { status: 429, headers: { "retry-after": "0" } }),
    Response.json({ status: "completed" }),
    Response.json({ error: "gone", code: "dream_task_not_found" }, { status: 404 }),
  ];
  const fetch = async () => answers.shift() ?? Response.error();
  const client = new DaemonClient({ baseUrl: "", token: "t", fetch });
  expect(await client.waitForTask("dream-1")).toEqual({ status: "completed" });
  await expect(client.waitForTask("dream-1")).rejects.toMatchObject({ code: "dream_task_not_found" });
  expect(answers).toEqual([]);
});
