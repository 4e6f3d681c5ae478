/** The feed of memory and lines that break, against the real daemon. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MemoryEvent } from "../src/index.js";
import { heard } from "./listening.js";
import { Running } from "./running.js";

let daemon: Running;
beforeAll(async () => {
  daemon = await Running.start();
});
afterAll(() => daemon?.stop());

const save = (name: string) => () =>
  daemon.client().saveFile({ path: `/memories/global/user/${name}.md`, content: `${name}\n`, expectedSha256: null });

test("a save is told to who listens to memory", async () => {
  const event = await heard(daemon.client().memoryEvents, save("tea"));
  expect(event).toMatchObject({
    kind: "created",
    scope: "global",
    path: "/memories/global/user/tea.md",
    actor: "user",
  });
  expect(Date.parse(event.at)).not.toBeNaN();
});

test("an abort ends the loop while nothing happens", async () => {
  const stop = new AbortController();
  const events: MemoryEvent[] = [];
  for await (const event of daemon.client().memoryEvents({ signal: stop.signal, onOpen: () => stop.abort() })) {
    events.push(event);
  }
  expect(events).toEqual([]);
});

test("a daemon that is restarted is listened to again", async () => {
  const signal = AbortSignal.timeout(50_000);
  const lost: unknown[] = [];
  const paths: string[] = [];
  // Saves as soon as the line is open, and restarts the daemon once the first save was heard.
  let open = 0;
  const onOpen = () => void save(`open-${++open}`)();
  const options = { signal, onOpen, onLost: (why: unknown) => lost.push(why) };
  for await (const { path } of daemon.client().memoryEvents(options)) {
    paths.push(path);
    if (paths.length === 1) await daemon.restart();
    else break;
  }
  expect(paths).toEqual(["/memories/global/user/open-1.md", "/memories/global/user/open-2.md"]);
  expect(lost.length).toBeGreaterThan(0);
});

test("a session outlives the daemon", async () => {
  const client = daemon.client();
  const { sessionId } = await client.createSession();
  const signal = AbortSignal.timeout(50_000);
  let open = 0;
  // The daemon is restarted once the line is open; the second time there is something to hear.
  const onOpen = () => void (++open === 1 ? daemon.restart() : daemon.client().rememberWorkspaceMemory("I prefer tea to coffee."));
  for await (const event of client.sessionEvents(sessionId, { signal, onOpen })) {
    expect(event).toMatchObject({ type: "memory_changed" });
    break;
  }
  expect(open).toBeGreaterThan(1);
});

test("a session that nobody opened is said to be unknown", async () => {
  const listening = (async () => {
    for await (const _ of daemon.client().sessionEvents("session-of-nobody")) break;
  })();
  await expect(listening).rejects.toMatchObject({ status: 404, code: "session_not_found" });
});
