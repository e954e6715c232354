import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take longest by far, the longest first: begun last, they would be waited for alone. */
const LONGEST = [
  "server/test/every-endpoint.test.ts",
  "server/channels/telegram-journey.test.ts",
  "server/imports/imports.test.ts",
  "server/channels/owner-inbox.test.ts",
  "server/main.test.ts",
  "server/imports/import-kill.test.ts",
  "server/test/kill-training.test.ts",
  "server/slow-bodies.test.ts",
  "server/channels/killed-sending.test.ts",
  "server/channels/killed-burst.test.ts",
  "server/channels/email-journey.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return at < 0 ? LONGEST.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    include: ["contract/**/*.test.ts", "server/**/*.test.ts", "web/**/*.test.ts"],
    globalSetup: ["server/test/global-setup.ts"],
    setupFiles: ["server/test/setup.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Most of the time is waiting: for processes, for the ends of bursts, for retries. On two cores five workers fill it.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
    // Every file makes its own app and database; loading the modules anew for each costs a third of the run.
    isolate: false,
  },
});
