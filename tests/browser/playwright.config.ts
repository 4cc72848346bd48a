import { defineConfig } from "@playwright/test";

const out = process.env.MICROSLIP_BROWSER_OUT ?? "out";

export default defineConfig({
  testDir: __dirname,
  outputDir: `${out}/results`,
  reporter: [["list"]],
  timeout: 180_000, // also on a machine that is busy with other work
  expect: { timeout: 30_000 },
  workers: 1,
  use: {
    viewport: { width: 1280, height: 900 },
    launchOptions: {
      executablePath: process.env.MICROSLIP_CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync"],
    },
  },
});
