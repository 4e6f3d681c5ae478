import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [svelte()],
  resolve: { alias: { "@loci/sdk": fileURLToPath(new URL("../sdk/typescript/src/index.ts", import.meta.url)) } },
  test: {
    include: ["test/**/*.test.ts"],
    // Each file has a daemon and a browser of its own; more of them at once only wait for each other.
    maxWorkers: 2,
    // As in .config/nextest.toml: once more on a loaded machine, and told.
    retry: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
