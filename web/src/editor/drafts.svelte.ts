/**
 * All documents with unsaved text. They outlive a change of the view and a reload of the page: this tab's session
 * storage holds them until they are saved or thrown away.
 */
import { SvelteMap } from "svelte/reactivity";
import { live } from "../daemon/live.svelte";
import { making } from "../memory/making.svelte";
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
      if (making.begun || [...this.#all.values()].some((draft) => draft.dirty)) event.preventDefault();
    };
    addEventListener("beforeunload", leaving);
    const hidden = () => this.#write();
    addEventListener("pagehide", hidden);
    return () => {
      deaf();
      removeEventListener("beforeunload", leaving);
      removeEventListener("pagehide", hidden);
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

  /** Lays unsaved text aside with its document; what is given back puts it there again, unless there is newer text. */
  lift(path: string): () => void {
    const old = this.#all.get(path);
    this.drop(path);
    return () => {
      if (old?.dirty && !this.isDirty(path)) this.#resume(path, old);
    };
  }

  /** A document has a new name; what was written goes along. */
  move(path: string, newPath: string): void {
    const old = this.#all.get(path);
    this.drop(path);
    if (old?.dirty) this.#resume(newPath, old);
  }

  #resume(path: string, { base, sha256, text }: Pick<Draft, "base" | "sha256" | "text">): void {
    // The one that is there, if there is one: an editor may hold it.
    const draft = this.of(path);
    draft.resume(base, sha256, text);
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
    for (const draft of this.#waiting) {
      const { path, dirty, base, sha256, text } = draft;
      try {
        if (!dirty || !this.#all.has(path)) sessionStorage.removeItem(PREFIX + path);
        else sessionStorage.setItem(PREFIX + path, JSON.stringify({ base, sha256, text }));
        this.#waiting.delete(draft);
      } catch {
        // The storage is full: the text waits here for the next try, and whoever leaves the page is asked.
      }
    }
  }
}

export const drafts = new Drafts();
