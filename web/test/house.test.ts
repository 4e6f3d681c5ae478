/** What the sources of the page promise: no markup out of memory, no calls beside the SDK, small files. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../src/", import.meta.url));
const sources = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.(ts|svelte)$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));

const LONGEST = 210;

test("memory never becomes markup, and every call goes through the SDK", () => {
  const forbidden = /\{@html|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\bfetch\(|XMLHttpRequest|EventSource|eval\(|new Function/;
  expect(sources.filter(({ text }) => forbidden.test(text)).map(({ path }) => path)).toEqual([]);
});

test("no style stands in an attribute: the policy would drop it", () => {
  expect(sources.filter(({ text }) => /\sstyle="/.test(text)).map(({ path }) => path)).toEqual([]);
});

test("files are of one idea", () => {
  const long = sources.filter(({ path, text }) => path !== "words.ts" && text.split("\n").length > LONGEST);
  expect(long.map(({ path }) => path)).toEqual([]);
});
