/** Which folders are closed; this browser remembers. */
import { SvelteSet } from "svelte/reactivity";

const KEY = "loci.closed";

function remembered(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.map(String) : [];
  } catch {
    return [];
  }
}

class Closed {
  #keys = new SvelteSet<string>(remembered());

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  set(key: string, closed: boolean): void {
    if (closed) this.#keys.add(key);
    else this.#keys.delete(key);
    localStorage.setItem(KEY, JSON.stringify([...this.#keys].slice(-500)));
  }
}

export const closed = new Closed();
