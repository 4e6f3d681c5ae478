import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** `npm run screenshots`: a picture of each view in both themes, in `test/.shots`. */
export default defineConfig({
  resolve: { alias: { "@loci/sdk": fileURLToPath(new URL("../sdk/typescript/src/index.ts", import.meta.url)) } },
  test: { include: ["test/screenshots.ts"], testTimeout: 180_000, hookTimeout: 60_000 },
});
