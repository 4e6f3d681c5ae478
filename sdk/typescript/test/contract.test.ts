/** The types are those of the document: what the daemon would refuse does not compile (`npm run check` looks). */
import { expect, expectTypeOf, test } from "vitest";
import { DaemonClient, type RememberResult, type Schemas } from "../src/index.js";

const sent: { url: string; init: RequestInit | undefined }[] = [];
const client = new DaemonClient({
  baseUrl: "http://daemon:1/",
  token: "secret",
  clientId: "client-1",
  fetch: async (url, init) => {
    sent.push({ url: String(url), init });
    return Response.json({});
  },
});

test("what the daemon would refuse does not compile", async () => {
  // @ts-expect-error: a save names the version that it replaces
  await client.saveFile({ path: "/memories/global/a.md", content: "a" });
  // @ts-expect-error: tasks know no such scope
  await client.rememberWorkspaceMemory("a", { scope: "workspace" });
  // @ts-expect-error: recall knows no such field
  await client.recall({ query: "a", most: 3 });
  // @ts-expect-error: a removal names the version that it means
  await client.removeFile({ path: "/memories/global/a.md" });
});

test("answers have the document's types, and a task's id tells its result", () => {
  expectTypeOf(client.readFile).returns.resolves.toEqualTypeOf<Schemas["Document"]>();
  expectTypeOf(client.restore).returns.resolves.toEqualTypeOf<void>();
  const wait = () => client.waitForTask("remember-1");
  expectTypeOf(wait).returns.resolves.toHaveProperty("result").toEqualTypeOf<RememberResult | null>();
});

test("paths and queries are encoded, and the token is in the header only", async () => {
  sent.length = 0;
  await client.readFile("/memories/global/tea & milk?.md");
  await client.applyProposal("../x");
  await client.log({ limit: 3 });
  expect(sent.map(({ url }) => url)).toEqual([
    "http://daemon:1/memory/file?path=%2Fmemories%2Fglobal%2Ftea+%26+milk%3F.md",
    "http://daemon:1/memory/proposals/..%2Fx/apply",
    "http://daemon:1/memory/log?limit=3",
  ]);
  const headers = new Headers(sent[0]?.init?.headers);
  expect(headers.get("authorization")).toBe("Bearer secret");
  expect(headers.get("x-loci-client-id")).toBe("client-1");
});

test("a call may speak for another client", async () => {
  sent.length = 0;
  await client.listTasks({ clientId: "client-2" });
  expect(new Headers(sent[0]?.init?.headers).get("x-loci-client-id")).toBe("client-2");
});
