import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

/** Debian's; `npm test` installs the first where it may. */
const chromium = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((path) => existsSync(path));

/** `*.full.spec.ts` is run with TEST_FULL=1, or when one of them is named on the command line. */
const full = process.env.TEST_FULL === "1" || process.argv.some((argument) => argument.includes(".full."));

/** No `webServer`: each parallel place has a server of its own (e2e/servers/server-pool.ts). */
export default defineConfig({
  testDir: "e2e",
  testIgnore: full ? [] : ["**/*.full.spec.ts"],
  globalSetup: "./e2e/servers/server-pool.ts",
  outputDir: ".cache/playwright",
  fullyParallel: true,
  // On two cores two more fill what the others wait: for timers, for the server, for what an axe run leaves idle.
  workers: 4,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [["list"], ["json", { outputFile: ".cache/test-reports/playwright.json" }]],
  use: {
    browserName: "chromium",
    actionTimeout: 15_000,
    // Nothing is waited for that only moves, and axe measures no colour in the middle of a fade. Who tests motion asks for it.
    contextOptions: { reducedMotion: "reduce" },
    locale: "ru-RU",
    timezoneId: "Europe/Moscow",
    video: "off",
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH || chromium,
      args: [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
