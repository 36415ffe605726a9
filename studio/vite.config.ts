import { defineConfig } from "vitest/config";

export default defineConfig({
  base: "/",
  build: {
    outDir: "../src/motionary/server/static",
    emptyOutDir: true,
    target: "es2023",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    // Reading a signal subscribes to it: no read may be left out
    rolldownOptions: { treeshake: { propertyReadSideEffects: "always" } },
  },
  test: { setupFiles: ["test/setup.ts"] },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
});
