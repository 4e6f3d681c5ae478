/** Streams against a scripted `fetch`: what is asked again, with which id, and when it ends. */
import { expect, test, vi } from "vitest";
import { DaemonClient, type StreamOptions } from "../src/index.js";

type Step = (signal: AbortSignal) => Response;

const change = (path: string) => ({
  kind: "created",
  scope: "global",
  path,
  actor: "user",
  at: "2026-01-01T00:00:00Z",
});
const told = (id: number) =>
  `id: ${id}\nevent: memory\ndata: ${JSON.stringify(change(`/memories/global/${id}.md`))}\n\n`;

/** A stream that says this and ends, or stays open. */
const says =
  (text: string, then: "ends" | "stays"): Step =>
  (signal) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        if (text !== "") controller.enqueue(new TextEncoder().encode(text));
        if (then === "ends") controller.close();
        else signal.addEventListener("abort", () => controller.error(signal.reason));
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };

const refuses =
  (status: number, code: string, headers = {}): Step =>
  () =>
    new Response(JSON.stringify({ error: code, code }), { status, headers });

/** Listens until so many changes came; tells their paths and the ids that were asked for. */
async function listen(steps: Step[], wanted: number, options: StreamOptions = {}) {
  const asked: (string | null)[] = [];
  const paths: string[] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    asked.push(new Headers(init?.headers).get("last-event-id"));
    const step = steps[asked.length - 1];
    if (!step || !init?.signal) throw new TypeError("fetch failed");
    return step(init.signal);
  };
  const client = new DaemonClient({ baseUrl: "http://daemon", token: "t", fetch });
  for await (const { path } of client.memoryEvents(options)) {
    paths.push(path);
    if (paths.length === wanted) break;
  }
  return { asked, paths };
}

test("a line that ends is opened again with the last id", async () => {
  const { asked, paths } = await listen([says(told(1) + told(2), "ends"), says(told(3), "stays")], 3, {
    lastEventId: 0,
  });
  expect(paths).toEqual([1, 2, 3].map((n) => `/memories/global/${n}.md`));
  expect(asked).toEqual(["0", "2"]);
});

test("trouble that passes is waited out", async () => {
  const steps = [refuses(503, "busy"), refuses(429, "rate_limited", { "retry-after": "1" }), says(told(1), "stays")];
  const lost: unknown[] = [];
  const start = Date.now();
  await listen(steps, 1, { onLost: (why) => lost.push(why) });
  expect(lost).toMatchObject([{ code: "busy" }, { code: "rate_limited" }]);
  expect(Date.now() - start).toBeGreaterThanOrEqual(1000);
});

test("pauses grow while nothing is heard, and start over once something was", async () => {
  const timers = vi.spyOn(globalThis, "setTimeout");
  const busy = refuses(503, "busy");
  await listen([busy, busy, says(told(1), "ends"), says(told(2), "stays")], 2, { silence: 99_999 });
  const pauses = timers.mock.calls.map(([, millis]) => millis ?? 0).filter((millis) => millis !== 99_999);
  timers.mockRestore();
  expect(pauses).toHaveLength(3);
  // The first pause is 250 ms, give or take a quarter, and each is 1.7 times the one before.
  const [first = 0, second = 0, afresh = 0] = pauses;
  expect(first).toBeLessThan(313);
  expect(second).toBeGreaterThan(318);
  expect(afresh).toBeLessThan(313);
});

test.each([
  [401, "unauthorized"],
  [404, "session_not_found"],
])("a refusal for good (%i) is thrown", async (status, code) => {
  await expect(listen([refuses(status, code)], 1)).rejects.toMatchObject({ status, code });
});

test("an answer that is no stream is thrown, not asked for again and again", async () => {
  await expect(listen([() => new Response("<html>")], 1)).rejects.toMatchObject({ code: "invalid_answer" });
});

test("a line on which nothing is heard is given up and opened again", async () => {
  const lost: unknown[] = [];
  const options = { silence: 50, onLost: (why: unknown) => lost.push(why) };
  const { asked } = await listen([says("", "stays"), says(told(1), "stays")], 1, options);
  expect(asked).toHaveLength(2);
  expect(lost).toMatchObject([{ code: "unreachable", message: "nothing was heard for too long" }]);
});

test("who leaves the loop ends the request", async () => {
  let ended = false;
  const watched: Step = (signal) => {
    signal.addEventListener("abort", () => (ended = true));
    return says(told(1), "stays")(signal);
  };
  await listen([watched], 1);
  expect(ended).toBe(true);
});

test.each(["before", "while it connects", "while it is open", "in a pause"])(
  "an abort %s ends the loop without an error",
  async (when) => {
    const stop = new AbortController();
    if (when === "before") stop.abort();
    const connects: Step = (signal) => {
      stop.abort();
      throw signal.reason;
    };
    const steps = { "while it connects": [connects], "in a pause": [] }[when] ?? [says("", "stays")];
    let lost = 0;
    const onLost = () => (lost++, setTimeout(() => stop.abort(), 10));
    expect((await listen(steps, 1, { signal: stop.signal, onOpen: () => stop.abort(), onLost })).paths).toEqual([]);
    expect(lost, "an abort is no loss").toBe(when === "in a pause" ? 1 : 0);
  },
);

test("nothing is told after an abort, even if it was heard already", async () => {
  const stop = new AbortController();
  const client = new DaemonClient({
    baseUrl: "",
    token: "t",
    fetch: async () => says(told(1) + told(2), "stays")(stop.signal),
  });
  let count = 0;
  for await (const _ of client.memoryEvents({ signal: stop.signal })) {
    count++;
    stop.abort();
  }
  expect(count).toBe(1);
});

test("what is no change is passed over", async () => {
  const slow = 'event: slow_client\ndata: {"v":1,"type":"slow_client","data":{}}\n\n';
  const noise = slow + 'event: memory\ndata: {"kind":1}\n\n' + "event: memory\ndata: {\n\n";
  expect((await listen([says(noise + told(1), "stays")], 1)).paths).toEqual(["/memories/global/1.md"]);
});
