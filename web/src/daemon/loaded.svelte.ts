/**
 * Something that is asked of the daemon and shown: what came, whether it is on its way, what went wrong.
 *
 * What was shown stays while it is asked again, so nothing flickers; answers that were overtaken are dropped.
 */
import { trouble } from "./door.svelte";

export class Loaded<T> {
  value = $state.raw<T | undefined>(undefined);
  error = $state<string | null>(null);
  loading = $state(false);
  #turn = 0;
  #again: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ask: () => Promise<T>) {}

  async refresh(): Promise<void> {
    const turn = ++this.#turn;
    this.loading = true;
    try {
      const value = await this.ask();
      if (turn !== this.#turn) return;
      this.value = value;
      this.error = null;
    } catch (error) {
      if (turn === this.#turn) this.error = trouble(error);
    } finally {
      if (turn === this.#turn) this.loading = false;
    }
  }

  /** Many reasons within a moment are one question. */
  soon(wait = 120): void {
    this.#again ??= setTimeout(() => {
      this.#again = undefined;
      void this.refresh();
    }, wait);
  }

  clear(): void {
    this.#turn++;
    this.value = undefined;
    this.error = null;
    this.loading = false;
  }
}
