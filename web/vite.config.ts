import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// The page is served by the floor, from the package's own folder; while it is written, `npm run dev` asks a floor
// that runs beside it.
const floor = process.env["PUNTOBANCO_FLOOR"] ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../src/puntobanco/floor/page",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 2048,
  },
  server: { proxy: { "/api": { target: floor, ws: true } } },
  test: { include: ["src/**/*.test.ts"] },
});
