/**
 * A stream of server-sent events that comes back by itself.
 *
 * Over `fetch` and not `EventSource`, which cannot send a token in a header. A line that breaks, or on which even the
 * heartbeat stays away, is opened again with the last id that was heard, so that the daemon tells what was missed.
 */
import { LociError } from "./errors.js";
import type { CallOptions, Http } from "./http.js";
import { pause, Pauses } from "./pauses.js";
import { type Message, MessageParser } from "./sse.js";

/** How to listen. An abort ends the loop without an error. */
export interface StreamOptions extends CallOptions {
  /** The last event that was heard; what came after it is told first. */
  lastEventId?: string | number | undefined;
  /** The line is open: what happens from now on is heard. Called again after each time it was lost. */
  onOpen?: (() => unknown) | undefined;
  /** The line is lost and will be tried again. */
  onLost?: ((why: unknown) => unknown) | undefined;
  /** The milliseconds without a byte after which a line counts as lost; the daemon says something every 15 s. */
  silence?: number | undefined;
}

/** Listens until the signal is aborted, the caller leaves the loop, or the daemon refuses for good. */
export async function* stream(http: Http, path: string, options: StreamOptions): AsyncGenerator<Message, void, void> {
  const { signal } = options;
  const pauses = new Pauses(250, 10_000);
  let last = options.lastEventId === undefined ? undefined : String(options.lastEventId);
  while (!signal?.aborted) {
    let why: unknown = new LociError(0, "unreachable", "the daemon ended the stream");
    try {
      for await (const message of once(http, path, last, options, () => pauses.reset())) {
        last = message.id ?? last;
        yield message;
        if (signal?.aborted) return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (isFinal(error)) throw error;
      why = error;
    }
    options.onLost?.(why);
    const asked = why instanceof LociError ? (why.retryAfter ?? 0) * 1000 : 0;
    // Not all at the same moment: a daemon that comes up again has many listeners.
    const own = pauses.next() * (0.75 + Math.random() / 2);
    await pause(Math.max(asked, own), signal).catch(() => undefined);
  }
}

/** Whether another try would be refused just the same. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof LociError)) return true;
  return error.code === "invalid_answer" || (error.status >= 400 && error.status < 500 && error.status !== 429);
}

async function* once(
  http: Http,
  path: string,
  last: string | undefined,
  { signal, clientId, onOpen, silence = 45_000 }: StreamOptions,
  heard: () => void,
): AsyncGenerator<Message, void, void> {
  // Ends the request for whatever reason: the caller's signal, the caller who leaves, or silence.
  const life = new AbortController();
  const stop = () => life.abort(signal?.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  const silent = () => life.abort(new LociError(0, "unreachable", "nothing was heard for too long"));
  let timer = setTimeout(silent, silence);
  try {
    const headers = { accept: "text/event-stream", ...(last === undefined ? {} : { "last-event-id": last }) };
    const response = await http.open(path, { method: "get", headers, signal: life.signal, clientId });
    if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream")) {
      throw new LociError(response.status, "invalid_answer", "the answer is no stream of events");
    }
    onOpen?.();
    const parser = new MessageParser();
    for await (const piece of pieces(response.body)) {
      clearTimeout(timer);
      heard();
      yield* parser.push(piece);
      timer = setTimeout(silent, silence);
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    life.abort();
  }
}

/** The text of a body as it comes; not every browser can iterate over one. */
async function* pieces(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const read = await reader.read().catch((cause: unknown) => {
      throw cause instanceof LociError
        ? cause
        : new LociError(0, "unreachable", "the line broke", undefined, { cause });
    });
    if (read.done) return;
    yield decoder.decode(read.value, { stream: true });
  }
}
