import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["contract/**/*.test.ts", "server/**/*.test.ts", "web/**/*.test.ts"],
    globalSetup: ["server/test/global-setup.ts"],
    setupFiles: ["server/test/setup.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Some tests wait for processes and clocks: on two cores a third worker fills that time.
    maxWorkers: 3,
    // Every file makes its own app and database; loading the modules anew for each costs a third of the run.
    isolate: false,
  },
});
