import { defineConfig } from "vite";

// One classic script and one style sheet per mode ("report" or "workbench"): both are embedded into the library.
export default defineConfig(({ mode }) => ({
  build: {
    target: "es2020",
    emptyOutDir: true,
    lib: { entry: `src/${mode}/main.ts`, formats: ["iife"], name: "microslip", fileName: () => `${mode}.js`, cssFileName: mode },
    reportCompressedSize: false,
  },
  logLevel: "warn",
}));
