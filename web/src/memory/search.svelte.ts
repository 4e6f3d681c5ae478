/** Search as one types: names at once, and what recall finds a moment later. */
import type { Answer } from "@loci/sdk";
import { tick } from "svelte";
import { door, trouble } from "../daemon/door.svelte";

const PAUSE = 140;
const MOST = 20;

class Search {
  query = $state("");
  answer = $state.raw<Answer<"/memory/recall", "post"> | null>(null);
  busy = $state(false);
  error = $state<string | null>(null);
  /** The query that `answer` or `error` belongs to. */
  #answered = "";
  #waits: (() => void) | undefined;
  #stop: AbortController | undefined;

  clear(): void {
    this.query = "";
    this.#settle("", null, null);
  }

  /** Does something with what was found for the query as it stands: now, or when it is there; writing on calls it off. */
  whenFound(run: () => void): void {
    if (this.query.trim() === "" || this.#answered === this.query) run();
    else this.#waits = run;
  }

  /** Asks, a moment after the last letter; the answer to the query before stays until this one is there. */
  ask(query: string): () => void {
    const stop = new AbortController();
    this.#stop?.abort();
    this.#stop = stop;
    this.#waits = undefined;
    if (query.trim() === "") {
      this.#settle("", null, null);
      return () => stop.abort();
    }
    this.busy = true;
    const timer = setTimeout(() => void this.#run(query, stop.signal), PAUSE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }

  async #run(query: string, signal: AbortSignal): Promise<void> {
    try {
      // No model and no count: a person who looks around is no agent that uses something.
      const answer = await door.client.recall({ query, limit: MOST, model: false, count: false }, { signal });
      if (!signal.aborted) this.#settle(query, answer, null);
    } catch (error) {
      if (!signal.aborted) this.#settle(query, null, trouble(error));
    }
    // What waits looks at the page, so the page comes first.
    await tick();
    if (signal.aborted) return;
    this.#waits?.();
    this.#waits = undefined;
  }

  #settle(query: string, answer: Search["answer"], error: string | null): void {
    Object.assign(this, { answer, error, busy: false });
    this.#answered = query;
  }
}

export const search = new Search();
