/**
 * One document under the person's hands: what was read, what they made of it, and what is on disk meanwhile.
 *
 * Invariant: what a person wrote is replaced only by their own word. A change from elsewhere is taken over at once
 * where nothing was written, and waits as `theirs` where something was.
 */
import { ConflictError, LociError } from "@loci/sdk";
import { door, trouble } from "../daemon/door.svelte";
import { type Secret, secretOf } from "../daemon/secret";

export interface Version {
  content: string;
  /** `null` = there is no file. */
  sha256: string | null;
}

export class Draft {
  phase = $state<"loading" | "ready" | "missing" | "broken">("loading");
  error = $state<string | null>(null);
  /** Why the last save was refused, if it was for a secret. */
  secret = $state.raw<Secret | null>(null);
  base = $state("");
  sha256 = $state<string | null>(null);
  text = $state("");
  /** What is on disk, if it is not what the person started from. */
  theirs = $state.raw<Version | null>(null);
  /** Who made the last change that came from elsewhere. */
  actor = $state<string | null>(null);
  /** A change from elsewhere was just taken over. */
  updated = $state(false);
  /** The text is from before the page was loaded. */
  restored = $state(false);
  merging = $state(false);
  saving = $state(false);
  dirty = $derived(this.text !== this.base);
  #lookAgain = false;

  constructor(
    readonly path: string,
    private readonly kept: (draft: Draft) => void,
  ) {}

  /** Goes on with a text of before. */
  resume(base: string, sha256: string | null, text: string): void {
    Object.assign(this, { base, sha256, text, phase: "ready", restored: text !== base });
  }

  edit(text: string): void {
    if (text === this.text) return;
    this.text = text;
    this.updated = false;
    this.kept(this);
  }

  discard(): void {
    this.text = this.base;
    this.restored = false;
    this.secret = null;
    if (this.theirs) this.#take(this.theirs);
    this.kept(this);
  }

  /** Looks at what is on disk now. */
  async look(actor: string | null = null): Promise<void> {
    if (this.saving) return void (this.#lookAgain = true);
    try {
      this.#see(await door.client.readFile(this.path), actor);
      this.error = null;
    } catch (error) {
      if (error instanceof LociError && error.status === 404) this.#see({ content: "", sha256: null }, actor);
      else {
        this.error = trouble(error);
        if (this.phase === "loading") this.phase = "broken";
      }
    }
  }

  /** Saves over the version that the person saw; `false` = it is not done, and says why. */
  async save(): Promise<boolean> {
    if (this.saving) return false;
    this.saving = true;
    this.secret = null;
    const sent = this.text;
    // Where the person was told that the file is gone, saving makes it anew.
    const expectedSha256 = this.theirs?.sha256 === null ? null : this.sha256;
    let clash = false;
    try {
      const { sha256 } = await door.client.saveFile({ path: this.path, content: sent, expectedSha256 });
      Object.assign(this, { base: sent, sha256, theirs: null, merging: false, error: null, restored: false, phase: "ready" });
      this.kept(this);
      return true;
    } catch (error) {
      clash = error instanceof ConflictError;
      this.secret = secretOf(error);
      if (!clash) this.error = this.secret ? null : trouble(error);
      return false;
    } finally {
      this.saving = false;
      if (clash || this.#lookAgain) {
        this.#lookAgain = false;
        await this.look(this.actor);
        if (clash) this.merging = this.theirs !== null;
      }
    }
  }

  /** Saves the text over what is on disk: the person has seen both. */
  async settle(): Promise<boolean> {
    if (this.theirs) {
      this.base = this.theirs.content;
      this.sha256 = this.theirs.sha256;
      this.theirs = null;
    }
    this.kept(this);
    return this.save();
  }

  takeTheirs(): void {
    if (this.theirs) this.#take(this.theirs);
    this.merging = false;
    this.kept(this);
  }

  #see(now: Version, actor: string | null): void {
    const first = this.phase === "loading" || this.phase === "broken";
    if (now.sha256 === this.sha256 && !first) {
      this.theirs = null;
      return;
    }
    if (first || !this.dirty || now.content === this.text) {
      this.#take(now);
      this.updated = !first && now.sha256 !== null && actor !== null;
    } else if (this.theirs?.sha256 !== now.sha256) {
      this.theirs = now;
    }
    if (actor !== null) this.actor = actor;
    this.kept(this);
  }

  #take(now: Version): void {
    Object.assign(this, { base: now.content, sha256: now.sha256, text: now.content, theirs: null });
    this.phase = now.sha256 === null ? "missing" : "ready";
  }
}
