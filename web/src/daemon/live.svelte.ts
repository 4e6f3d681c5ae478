/**
 * What happens to memory, as it happens. One line to the daemon for the whole page; stores and views listen here.
 */
import { LociError, type MemoryEvent } from "@loci/sdk";
import { door } from "./door.svelte";

type Listener = { change?: (event: MemoryEvent) => void; open?: () => void };

class Live {
  state = $state<"connecting" | "open" | "lost">("connecting");
  #listeners = new Set<Listener>();

  /** Hears changes, and every time that the line is open (again): then anything may have changed. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Listens until the answer is called. */
  start(): () => void {
    const stop = new AbortController();
    void this.#run(stop.signal);
    return () => stop.abort();
  }

  async #run(signal: AbortSignal): Promise<void> {
    this.state = "connecting";
    try {
      const events = door.client.memoryEvents({
        signal,
        onOpen: () => {
          this.state = "open";
          for (const { open } of this.#listeners) open?.();
        },
        onLost: () => (this.state = "lost"),
      });
      for await (const event of events) {
        for (const { change } of this.#listeners) change?.(event);
      }
    } catch (error) {
      this.state = "lost";
      if (error instanceof LociError && error.status === 401) door.leave("unauthorized");
    }
  }
}

export const live = new Live();
