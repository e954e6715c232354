import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take longest by far, the longest first: begun last, they would be waited for alone. */
const LONGEST = [
  "server/test/endpoints/every-endpoint.test.ts",
  "server/channels/telegram/journey.test.ts",
  "server/imports/imports.test.ts",
  "server/channels/core/answers/owner-inbox.test.ts",
  "server/main.test.ts",
  "server/imports/import-kill.test.ts",
  "server/imports/account/killed-account-import.test.ts",
  "server/training/kill-training.test.ts",
  "server/rolling-restart.test.ts",
  "server/http/slow-request-guard.test.ts",
  "server/channels/core/outbox/killed-sending.test.ts",
  "server/channels/core/inbox/killed-burst.test.ts",
  "server/channels/email/journey.test.ts",
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

/** On PostgreSQL whatever opens the database that the run has prepared; for the rest it would be the same test once more. */
function findTests(): string[] {
  if (process.env.TEST_DATABASE_URL === undefined) {
    return [
      "contract/**/*.test.ts",
      "server/**/*.test.ts",
      "web/**/*.test.ts",
      "bench/**/*.test.ts",
      "research/**/*.test.ts",
      "scripts/**/*.test.mjs",
    ];
  }
  const openers = globSync("server/test/**/*.ts").filter((file) =>
    /databaseSnapshot|"\.{1,2}\/(?:\.\.\/)?(database|test-app)\.ts"/.test(readFileSync(file, "utf8")),
  );
  const imported = openers.map((file) => `/${basename(file)}"`);
  return globSync("server/**/*.test.ts").filter((file) => {
    const text = readFileSync(file, "utf8");
    return text.includes("databaseSnapshot") || imported.some((name) => text.includes(name));
  });
}

export default defineConfig({
  test: {
    include: findTests(),
    globalSetup: ["server/test/global-setup.ts"],
    setupFiles: ["server/test/setup.ts"],
    // Against hanging alone: whole journeys take fifteen seconds on a quiet machine, and many times that beside the browser's tests.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Most of the time is waiting: for processes, for the ends of bursts, for retries. On two cores five workers fill it.
    maxWorkers: 5,
    // As the server is started: a second of processor time of each worker.
    execArgv: ["--import", pathToFileURL(join(import.meta.dirname, "server/db/drizzle-modules.ts")).href],
    sequence: { sequencer: LongestFirst },
    // Every file makes its own app and database; loading the modules anew for each costs a third of the run.
    isolate: false,
  },
});
