// The official TypeScript client on both transports. It checks every structured answer against the tool's own schema.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { LOCI } from "./machine.mjs";

const TOOLS = ["memory", "recall", "remember", "forget", "dream", "context"];

export async function overStdio(machine) {
  const { env, project: cwd } = machine;
  await story(machine, new StdioClientTransport({ command: LOCI, args: ["mcp"], env, cwd, stderr: "inherit" }), "stdio");
}

export async function overHttp(machine) {
  const requestInit = { headers: { Authorization: `Bearer ${machine.token}` } };
  await story(machine, new StreamableHTTPClientTransport(new URL("/mcp", machine.address), { requestInit }), "http");
}

async function story(machine, transport, word) {
  const client = new Client({ name: "loci-conformance", version: "1" });
  await client.connect(transport);
  const text = async (name, args = {}) => {
    const result = await client.callTool({ name, arguments: args });
    assert.notEqual(result.isError, true, `${name}: ${JSON.stringify(result)}`);
    return result.content[0].text;
  };
  assert.deepEqual((await client.listTools()).tools.map((tool) => tool.name), TOOLS);
  await text("remember", { content: `We decided that the ${word} door of Borealis is painted green.` });
  assert.match(await text("recall", { query: `what colour is the ${word} door of Borealis?` }), /green/);
  assert.match(await text("forget", { query: `${word} door Borealis` }), /Forgot 1 memory entry/);
  await text("dream", { dryRun: true });
  await text("dream");
  assert.match(await text("context"), /<memory_index>/);
  const path = `/memories/global/${word}.md`;
  assert.equal(await text("memory", { command: "create", path, file_text: "Text.\n" }), `File created successfully at: ${path}`);
  const wrong = await client.callTool({ name: "memory", arguments: { command: "view", path: "/etc/passwd" } });
  assert.equal(wrong.isError, true);

  const uris = (await client.listResources()).resources.map((resource) => resource.uri);
  assert.deepEqual(uris, ["memory://root", "memory://root/MEMORY.md", "memory://root/skills/release/SKILL.md"]);
  assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1);
  assert.match((await client.readResource({ uri: uris[2] })).contents[0].text, /smoke test/);
  const updated = new Promise((heard) =>
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, (note) => heard(note.params.uri)));
  await client.subscribeResource({ uri: uris[1] });
  writeFileSync(join(machine.book, "MEMORY.md"), `# Handbook, as seen over ${word}\n`);
  assert.equal(await updated, uris[1]);
  await client.unsubscribeResource({ uri: uris[1] });

  for (const { name, arguments: args = [] } of (await client.listPrompts()).prompts) {
    const given = Object.fromEntries(args.map((argument) => [argument.name, "green tea"]));
    const { messages } = await client.getPrompt({ name, arguments: given });
    assert.equal(messages[0].role, "user");
  }
  await client.close();
}
