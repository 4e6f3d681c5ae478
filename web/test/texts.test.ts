/** Headers and merges, without a browser: what must not lose a byte. */
import { expect, test } from "vitest";
import { split, withField, written } from "../src/editor/front";
import { differing, merge } from "../src/editor/lines";
import type { FileRow } from "../src/memory/files.svelte";
import { offsets, slice } from "../src/memory/slice";
import { lines } from "../src/memory/tree";

test("a form reads what one line can say, and calls the rest odd", () => {
  const rows: [string, string | undefined, boolean][] = [
    ["name: Plain words", "Plain words", false],
    ['name: "With: colon"', "With: colon", false],
    ["name: 'It''s'", "It's", false],
    ["name: |\n  block", undefined, true],
    ["name: a # comment", undefined, true],
    ["name: a\n  b", undefined, true],
    ["name: [a]", undefined, true],
    ["other: x", undefined, false],
  ];
  for (const [yaml, name, odd] of rows) {
    const front = split(`---\n${yaml}\n---\nbody`);
    expect([front.fields.name, front.odd, front.body], yaml).toEqual([name, odd, "body"]);
  }
  expect(split("no header").head).toBe("");
  expect(split("---\nname: x\nnever closed").odd).toBe(true);
});

test("a field that is set changes its own line and no other byte", () => {
  for (const eol of ["\n", "\r\n"]) {
    const text = ["---", "name: A", "x: [1, 2]", "---", "body", ""].join(eol);
    const changed = withField(text, "description", 'say "hi": now');
    expect(changed).toBe(["---", "name: A", "x: [1, 2]", `description: ${JSON.stringify('say "hi": now')}`, "---", "body", ""].join(eol));
    expect(split(changed).fields.description).toBe('say "hi": now');
    expect(withField(changed, "description", "")).toBe(text);
  }
  expect(withField("bare", "name", "true")).toBe('---\nname: "true"\n---\nbare');
  for (const value of ["a: b", "- x", "#", "'", '"', "null", "1", "é ü", "日本"]) {
    expect(split(written({ name: value, description: "", type: "user" }, "x")).fields.name, value).toBe(value);
  }
});

test("changes of both sides on different lines fit together", () => {
  const base = "a\nb\nc\nd\ne";
  expect(merge(base, "A\nb\nc\nd\ne", "a\nb\nc\nd\nE")).toEqual({ text: "A\nb\nc\nd\nE", fits: true });
  expect(merge(base, "a\nb\nc\nd\ne\nf", "0\na\nb\nc\nd\ne")).toEqual({ text: "0\na\nb\nc\nd\ne\nf", fits: true });
  expect(merge(base, "a\nc\nd\ne", "a\nb\nc\nD\ne")).toEqual({ text: "a\nc\nD\ne", fits: true });
  expect(merge(base, base, "x")).toEqual({ text: "x", fits: true });
  expect(merge(base, "same", "same")).toEqual({ text: "same", fits: true });
});

test("changes of both sides on one line clash, and mine stand", () => {
  expect(merge("a\nb\nc", "a\nmine\nc", "a\ntheirs\nc")).toEqual({ text: "a\nmine\nc", fits: false });
});

test("a diff shows what differs and counts what it leaves out", () => {
  const before = Array.from({ length: 20 }, (_, at) => String(at)).join("\n");
  const kinds = differing(before, before.replace("10", "ten")).map((line) => line.kind).join("");
  expect(kinds).toBe("@   -+   @");
  expect(differing("same", "same")).toEqual([]);
});

test("a slice holds what is seen and a little more, never all", () => {
  const starts = offsets(Array.from({ length: 1000 }, () => 50));
  const seen = slice(starts, 20_000, 600, 100);
  expect([seen.first, seen.end, seen.above]).toEqual([398, 415, 19_900]);
  expect(slice(offsets([]), 0, 600)).toEqual({ first: 0, end: 0, above: 0 });
});

test("the tree counts as people do: 2 before 10", () => {
  const files = ["Note 10", "Note 2"].map((name) => ({ name, path: `/memories/global/${name}.md`, scope: "global", pinned: false }) as FileRow);
  const shown = lines(files, [{ scope: "global", label: "Global", note: undefined }], () => false);
  expect(shown.map((line) => line.label)).toEqual(["Global", "Note 2", "Note 10"]);
});
