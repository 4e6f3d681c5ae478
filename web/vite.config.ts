import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

const sdk = fileURLToPath(new URL("../sdk/typescript/src/index.ts", import.meta.url));

/** The daemon's routes, for `npm run dev`: the page comes from here, everything else from LOCI_URL. */
const routes = "^/(memory|workspace|session|sessions|status|settings|models|agents|pipeline|costs|receipts|capabilities|clients|health)";

/** Packs each asset once, here, so that the daemon never has to. */
const packed = (): Plugin => ({
  name: "packed",
  apply: "build",
  writeBundle({ dir }, bundle) {
    for (const [name, file] of Object.entries(bundle)) {
      if (!dir || !/\.(js|css|svg)$/.test(name)) continue;
      const bytes = file.type === "chunk" ? file.code : file.source;
      writeFileSync(join(dir, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    }
  },
});

export default defineConfig({
  plugins: [svelte(), packed()],
  resolve: { alias: { "@loci/sdk": sdk } },
  build: {
    target: "es2022",
    // Nothing inline: the policy that the page is served with allows files of the daemon only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
  },
  server: {
    proxy: { [routes]: { target: process.env["LOCI_URL"] ?? "http://127.0.0.1:7676", changeOrigin: true } },
  },
});
