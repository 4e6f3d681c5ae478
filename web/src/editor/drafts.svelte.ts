/**
 * All documents with unsaved text. They outlive a change of the view and a reload of the page: this tab's session
 * storage holds them until they are saved or thrown away.
 */
import { SvelteMap } from "svelte/reactivity";
import { live } from "../daemon/live.svelte";
import { Draft } from "./draft.svelte";

const PREFIX = "loci.draft:";
const PAUSE = 200;

class Drafts {
  #all = new SvelteMap<string, Draft>();
  #waiting = new Set<Draft>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    for (const key of Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX))) {
      const draft = this.#make(key.slice(PREFIX.length));
      try {
        const { base, sha256, text } = JSON.parse(sessionStorage.getItem(key) ?? "{}");
        if (typeof base !== "string" || typeof text !== "string") throw new TypeError("no draft");
        draft.resume(base, typeof sha256 === "string" ? sha256 : null, text);
        this.#all.set(draft.path, draft);
      } catch {
        sessionStorage.removeItem(key);
      }
    }
  }

  start(): () => void {
    const deaf = live.listen({
      open: () => this.#all.forEach((draft) => void draft.look()),
      change: ({ path, actor }) => void this.#all.get(path)?.look(actor),
    });
    const leaving = (event: BeforeUnloadEvent) => {
      this.#write();
      if ([...this.#all.values()].some((draft) => draft.dirty)) event.preventDefault();
    };
    addEventListener("beforeunload", leaving);
    addEventListener("pagehide", () => this.#write());
    return () => {
      deaf();
      removeEventListener("beforeunload", leaving);
    };
  }

  /** The draft of a document, new or as it was left. */
  of(path: string): Draft {
    let draft = this.#all.get(path);
    if (!draft) this.#all.set(path, (draft = this.#make(path)));
    return draft;
  }

  isDirty(path: string): boolean {
    return this.#all.get(path)?.dirty ?? false;
  }

  /** The document is no longer on the page; without unsaved text there is nothing to keep. */
  close(path: string): void {
    if (!this.isDirty(path)) this.#all.delete(path);
  }

  drop(path: string): void {
    this.#all.delete(path);
    sessionStorage.removeItem(PREFIX + path);
  }

  /** A document has a new name; what was written goes along. */
  move(path: string, newPath: string): void {
    const old = this.#all.get(path);
    this.drop(path);
    if (!old?.dirty) return;
    const draft = this.#make(newPath);
    draft.resume(old.base, old.sha256, old.text);
    this.#all.set(newPath, draft);
    this.#keep(draft);
    void draft.look();
  }

  #make(path: string): Draft {
    return new Draft(path, (draft) => this.#keep(draft));
  }

  #keep(draft: Draft): void {
    this.#waiting.add(draft);
    this.#timer ??= setTimeout(() => this.#write(), PAUSE);
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { path, dirty, base, sha256, text } of this.#waiting) {
      if (!dirty || !this.#all.has(path)) sessionStorage.removeItem(PREFIX + path);
      else sessionStorage.setItem(PREFIX + path, JSON.stringify({ base, sha256, text }));
    }
    this.#waiting.clear();
  }
}

export const drafts = new Drafts();
