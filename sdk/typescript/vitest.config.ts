import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@loci/sdk": fileURLToPath(new URL("src/index.ts", import.meta.url)) } },
  test: {
    include: ["test/**/*.test.ts"],
    // Each file may have a daemon of its own; more of them at once only wait for each other.
    maxWorkers: 2,
    // A daemon that starts on a busy machine takes its time; no test waits for a clock otherwise.
    // As in .config/nextest.toml: once more on a loaded machine, and told.
    retry: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
