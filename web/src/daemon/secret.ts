/** A text that was refused because it looks like a secret, told by the lines that the person sees. */
import { LociError } from "@loci/sdk";
import { words } from "../words";

export interface Secret {
  rule: string;
  /** In the whole file, from 1. */
  line: number;
}

/** What a refusal found. The SDK's error holds the daemon's text and nothing else, so that is read. */
export function secretOf(error: unknown): Secret | null {
  if (!(error instanceof LociError) || error.code !== "secret_refused") return null;
  const [, line, rule] = /^line (\d+) looks like a secret \(([^)]+)\)/.exec(error.message) ?? [];
  return line === undefined || rule === undefined ? null : { rule, line: Number(line) };
}

/** Where it is and what to do; `hidden` = the lines of the file above what is shown. */
export function aboutSecret({ rule, line }: Secret, hidden: number, path: string): string {
  const where = line > hidden ? words.secret.line(line - hidden) : words.secret.header;
  return words.secret.refused(where, rule, path);
}

/** How many lines a part of a text takes up. */
export const linesIn = (part: string) => part.split("\n").length - 1;
