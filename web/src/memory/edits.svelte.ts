/**
 * Which documents a machine changed since the person last opened them.
 *
 * Who changed what comes from the journal and from live events; when something was opened is this browser's own memory.
 */
import { SvelteMap } from "svelte/reactivity";
import { door } from "../daemon/door.svelte";
import { live } from "../daemon/live.svelte";

const KEY = "loci.opened";
const KEPT = 2_000;
const MACHINES: ReadonlySet<string> = new Set(["agent", "dream", "extract", "remember", "forget"]);

interface Edit {
  actor: string;
  at: string;
}

class Edits {
  #last = new SvelteMap<string, Edit>();
  #opened = new SvelteMap<string, string>(remembered());

  start(): () => void {
    return live.listen({
      open: () => void this.#load(),
      change: ({ path, actor, at, kind }) => {
        if (kind === "deleted") this.#last.delete(path);
        else this.#last.set(path, { actor, at });
      },
    });
  }

  /** The machine that changed it and has not been looked after since. */
  unseen(path: string): string | undefined {
    const edit = this.#last.get(path);
    if (!edit || !MACHINES.has(edit.actor)) return undefined;
    const opened = this.#opened.get(path);
    return opened !== undefined && opened >= edit.at ? undefined : edit.actor;
  }

  /** Who changed it last, if that is known. */
  by(path: string): string | undefined {
    return this.#last.get(path)?.actor;
  }

  /** The person has it before their eyes. */
  open(path: string): void {
    const now = new Date().toISOString();
    const edit = this.#last.get(path);
    // Clocks of two machines may differ; what was seen is seen.
    this.#opened.set(path, edit && edit.at > now ? edit.at : now);
    const newest = [...this.#opened].sort(([, a], [, b]) => (a < b ? 1 : -1)).slice(0, KEPT);
    localStorage.setItem(KEY, JSON.stringify(newest));
  }

  async #load(): Promise<void> {
    try {
      const { changes } = await door.client.log({ limit: 1000 });
      for (const { path, newPath, actor, at, op } of changes) {
        const where = newPath ?? path;
        const known = this.#last.get(where);
        if (op !== "delete" && (!known || known.at < at)) this.#last.set(where, { actor, at });
      }
    } catch {
      // Without the journal there are no badges; the files themselves say what is wrong.
    }
  }
}

function remembered(): [string, string][] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

export const edits = new Edits();
