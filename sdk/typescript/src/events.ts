/** What happens, as it happens: async iterators over the daemon's two streams. */
import type { Http } from "./http.js";
import { type StreamOptions, stream } from "./stream.js";
import type { DaemonEvent, MemoryEvent } from "./shapes.js";

export const eventCalls = (http: Http) => ({
  /**
   * The events of a session. It outlives the daemon: after a restart this goes on with what was told meanwhile. One that
   * is not known any more throws a `LociError` with `session_not_found`, and `createSession` gives the next one.
   */
  async *sessionEvents(sessionId: string, options: StreamOptions = {}): AsyncGenerator<DaemonEvent, void, void> {
    for await (const { data } of stream(http, `/session/${encodeURIComponent(sessionId)}/events`, options)) {
      const event = parsed(data);
      if (isDaemonEvent(event)) yield event;
    }
  },

  /**
   * Every change of memory: by requests, agents, dreams, or a person with an editor. Lines that break are opened
   * again; changes made while the daemon was down are not told, so look at the files anew on `onOpen`.
   */
  async *memoryEvents(options: StreamOptions = {}): AsyncGenerator<MemoryEvent, void, void> {
    for await (const { event, data } of stream(http, "/memory/events", options)) {
      const change = event === "memory" ? parsed(data) : undefined;
      if (isMemoryEvent(change)) yield change;
    }
  },
});

/** JSON, or nothing. */
export function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

function isDaemonEvent(value: unknown): value is DaemonEvent {
  return hasTexts(value, ["type"]) && "v" in value && "data" in value;
}

function isMemoryEvent(value: unknown): value is MemoryEvent {
  return hasTexts(value, ["kind", "scope", "path", "actor", "at"]);
}

function hasTexts(value: unknown, names: string[]): value is object {
  if (typeof value !== "object" || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return names.every((name) => typeof fields.get(name) === "string");
}
