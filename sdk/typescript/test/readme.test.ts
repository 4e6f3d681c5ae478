/** The examples of the README: each compiles, and runs against the real daemon. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Running } from "./running.js";

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const blocks = [...readFileSync(file("../README.md"), "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(
  (match) => match[1] ?? "",
);
const [client = "", ...rest] = blocks;
// The first one makes the client that the others go on with.
const examples = [client, ...rest.map((block) => client + block)];
const paths = examples.map((_, number) => file(`.readme/${number}.ts`));

let daemon: Running;
beforeAll(async () => {
  mkdirSync(file(".readme"), { recursive: true });
  examples.forEach((example, number) => writeFileSync(paths[number] ?? "", `${example}export {};\n`));
  daemon = await Running.start();
  vi.stubEnv("LOCI_URL", daemon.url);
  vi.stubEnv("LOCI_TOKEN", daemon.token);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  rmSync(file(".readme"), { recursive: true, force: true });
  await daemon?.stop();
});

test("the README has examples", () => {
  expect(blocks.length).toBeGreaterThan(5);
});

test("every example compiles", () => {
  const read = ts.readConfigFile(file("../tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(read.config, ts.sys, file(".."));
  const complaints = ts.getPreEmitDiagnostics(ts.createProgram(paths, options));
  expect(complaints.map(({ file, messageText }) => [file?.text, messageText])).toEqual([]);
});

test.each(paths.map((path, number) => [number, path] as const))("example %i runs", async (_, path) => {
  const said = vi.spyOn(console, "log").mockImplementation(() => undefined);
  await import(/* @vite-ignore */ path);
  expect(said).toHaveBeenCalled();
  said.mockRestore();
});
