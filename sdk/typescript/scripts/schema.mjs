// Makes src/schema.ts from openapi.json; with --check it only tells whether the two still fit.
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const schema = new URL("../src/schema.ts", import.meta.url);
const document = JSON.parse(await readFile(new URL("../openapi.json", import.meta.url), "utf8"));

// The client names operations by method and path. Ids are the names of functions in the daemon: they may change, and
// two routes may share one.
for (const item of Object.values(document.paths)) {
  for (const operation of Object.values(item)) delete operation.operationId;
}

// An object of which nothing is told may hold anything; the default would say that it is empty.
const nodes = await openapiTS(document, { emptyObjectsUnknown: true });
const text = `// Made from openapi.json by \`npm run generate\`; do not edit.\n\n${astToString(nodes)}`;

if (process.argv.includes("--check")) {
  const there = await readFile(schema, "utf8").catch(() => "");
  if (there !== text) {
    console.error("src/schema.ts does not fit openapi.json; run `npm run generate` and commit it.");
    process.exit(1);
  }
} else {
  await writeFile(schema, text);
}
