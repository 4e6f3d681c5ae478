/** Texts compared line by line, and three of them merged. */
import { type Change, diff } from "@codemirror/merge";

export interface DiffLine {
  kind: " " | "+" | "-" | "@";
  text: string;
}

/** What turns one list of lines into another. */
export function changes(a: string[], b: string[]): readonly Change[] {
  const codes = new Map<string, string>();
  // Each line is one sign, so that an algorithm for texts compares lines.
  const sign = (line: string) => {
    const known = codes.get(line);
    if (known !== undefined) return known;
    const at = codes.size + 1;
    const made = String.fromCharCode(at < 0xd800 ? at : at + 0x800);
    codes.set(line, made);
    return made;
  };
  return diff(a.map(sign).join(""), b.map(sign).join(""));
}

const cut = (text: string) => text.split("\n");

/** The lines that differ with a few around them; `@` tells how many are left out. */
export function differing(before: string, after: string, around = 3): DiffLine[] {
  const [a, b] = [cut(before), cut(after)];
  const out: DiffLine[] = [];
  let at = 0;
  const same = (to: number, lead: number, tail: number) => {
    const hidden = to - at - lead - tail;
    const keep = (from: number, end: number) => a.slice(from, end).forEach((text) => out.push({ kind: " ", text }));
    if (hidden <= 1) return keep(at, to);
    keep(at, at + lead);
    out.push({ kind: "@", text: String(hidden) });
    keep(to - tail, to);
  };
  const all = changes(a, b);
  all.forEach((change, index) => {
    same(change.fromA, index === 0 ? 0 : around, around);
    a.slice(change.fromA, change.toA).forEach((text) => out.push({ kind: "-", text }));
    b.slice(change.fromB, change.toB).forEach((text) => out.push({ kind: "+", text }));
    at = change.toA;
  });
  if (all.length > 0) same(a.length, around, 0);
  // A text that ends in a newline has an empty last line that nobody misses.
  if (out.at(-1)?.kind === " " && out.at(-1)?.text === "") out.pop();
  return out;
}

export interface Merged {
  text: string;
  /** No line was changed by both. */
  fits: boolean;
}

/** Both sets of changes on one base. Where both changed the same lines, mine stand. */
export function merge(base: string, mine: string, theirs: string): Merged {
  const [o, a, b] = [cut(base), cut(mine), cut(theirs)];
  const [toMine, toTheirs] = [[...changes(o, a)], [...changes(o, b)]];
  const out: string[] = [];
  let [at, fits] = [0, true];
  for (;;) {
    const start = Math.min(toMine[0]?.fromA ?? Infinity, toTheirs[0]?.fromA ?? Infinity);
    if (start === Infinity) break;
    let end = start;
    const [ours, others]: [Change[], Change[]] = [[], []];
    const takes = (from: Change[], into: Change[]) => {
      const next = from[0];
      if (!next || next.fromA > end) return false;
      into.push(next);
      from.shift();
      end = Math.max(end, next.toA);
      return true;
    };
    while (takes(toMine, ours) || takes(toTheirs, others));
    out.push(...o.slice(at, start));
    const [left, right] = [part(o, a, ours, start, end), part(o, b, others, start, end)];
    const clash = ours.length > 0 && others.length > 0 && left.join("\n") !== right.join("\n");
    if (clash) fits = false;
    out.push(...(ours.length > 0 ? left : right));
    at = end;
  }
  out.push(...o.slice(at));
  return { text: out.join("\n"), fits };
}

/** What became of base's lines from `start` to `end`. */
function part(base: string[], side: string[], changed: Change[], start: number, end: number): string[] {
  const [first, last] = [changed[0], changed.at(-1)];
  if (!first || !last) return base.slice(start, end);
  return side.slice(first.fromB - (first.fromA - start), last.toB + (end - last.toA));
}
