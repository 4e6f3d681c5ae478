/** Search as one types: names at once, and what recall finds a moment later. */
import type { Answer } from "@loci/sdk";
import { door, trouble } from "../daemon/door.svelte";

const PAUSE = 140;
const MOST = 20;

class Search {
  query = $state("");
  answer = $state.raw<Answer<"/memory/recall", "post"> | null>(null);
  busy = $state(false);
  error = $state<string | null>(null);
  #stop: AbortController | undefined;

  clear(): void {
    this.query = "";
  }

  /** Asks, a moment after the last letter; the answer to the query before stays until this one is there. */
  ask(query: string): () => void {
    const stop = new AbortController();
    this.#stop?.abort();
    this.#stop = stop;
    if (query.trim() === "") {
      this.answer = null;
      this.busy = false;
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
      this.answer = answer;
      this.error = null;
    } catch (error) {
      if (!signal.aborted) this.error = trouble(error);
    }
    if (!signal.aborted) this.busy = false;
  }
}

export const search = new Search();
