/** The memory that is being made: it stays until it is created, so that a dialog that was closed loses nothing. */
import type { Schemas } from "@loci/sdk";
import type { Scope } from "./files.svelte";

export type Kind = Schemas["KindWord"];
export const KINDS: readonly Kind[] = ["user", "feedback", "project", "reference"];

class Making {
  scope = $state<Scope>("global");
  name = $state("");
  description = $state("");
  /** A kind of the person's own choice. */
  chosen = $state<Kind | null>(null);
  /** What is about a project is seldom about a person. */
  type = $derived<Kind>(this.chosen ?? (this.scope === "global" ? "user" : "project"));
  body = $state("");
  /** A path of the person's own choice. */
  own = $state<string | null>(null);
  path = $derived(this.own ?? `/memories/${this.scope}/${this.type}/${slug(this.name) || "untitled"}.md`);
  /** Something was written that would be lost with the page. */
  begun = $derived([this.name, this.description, this.body, this.own ?? ""].some((text) => text.trim() !== ""));

  reset(): void {
    this.name = this.description = this.body = "";
    this.own = this.chosen = null;
  }
}

/** A file name that is made of a title: letters and digits of any script, joined by hyphens. */
export function slug(title: string): string {
  const letters = title.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").normalize("NFC");
  return letters.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60);
}

export const making = new Making();
