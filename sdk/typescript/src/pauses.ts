/** Waiting: pauses that grow, and that a signal cuts short. */

/** Each pause is longer than the one before, up to a limit. */
export class Pauses {
  #next: number;

  constructor(
    private readonly first: number,
    private readonly most: number,
  ) {
    this.#next = first;
  }

  /** The next pause, in milliseconds. */
  next(): number {
    const now = this.#next;
    this.#next = Math.min(now * 1.7, this.most);
    return now;
  }

  /** Starts over: what was waited for has happened. */
  reset(): void {
    this.#next = this.first;
  }
}

/** Waits; rejects with the signal's reason as soon as it is aborted. */
export function pause(millis: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, millis);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
