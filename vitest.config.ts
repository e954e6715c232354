import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take longest by far, the longest first: begun last, they would be waited for alone. */
const LONGEST = [
  "server/test/endpoints/access-to-knowledge.test.ts",
  "server/test/endpoints/access-to-inbox.test.ts",
  "server/operations/records/export/data-export.test.ts",
  "server/test/endpoints/access-to-accounts.test.ts",
  "server/operations/backup/backup.test.ts",
  "server/imports/runs/imports.test.ts",
  "server/imports/runs/import-kill.test.ts",
  "server/test/privacy/deletion/deletions.test.ts",
  "server/test/privacy/private-replies.test.ts",
  "server/inbox/outbox/killed-sending.test.ts",
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

/**
 * Tests whose subject differs by engine: row policies, locks, pools, queues, migrations, the SQL of searches, one backup. They run on
 * both engines; any other test says the same of either and runs on one. With TEST_FULL=1 all that open the database run on PostgreSQL,
 * among them upgrades from each release, killed at any statement, and three processes side by side, which take minutes.
 */
const ENGINE_TESTS = [
  "server/platform/db/**/*.test.ts",
  "server/platform/db-upkeep/**/*.test.ts",
  "server/platform/jobs/**/*.test.ts",
  "server/operations/backup/backup.test.ts",
  "server/operations/master-key/*.test.ts",
  "server/test/privacy/job-tenancy.test.ts",
  "server/test/privacy/deletion/*.test.ts",
  "server/platform/http/{idempotency,shared-counts}.test.ts",
  "server/operations/health/readiness.test.ts",
  "server/inbox/conversations/search-messages.test.ts",
  "server/knowledge/embeddings/pgvector.test.ts",
  "server/accounts/twins/in-flight-sends.test.ts",
  "server/inbox/actions/{with,without}-model.test.ts",
];

/** Their subject is the embedded database's data folder. */
const EMBEDDED_TESTS = ["server/operations/backup/unit/embedded-snapshot.test.ts"];

/** `*.full.test.ts` holds matrices and long processes: with TEST_FULL=1, or when one of them is named on the command line. */
const full = process.env.TEST_FULL === "1";
const excluded = full || process.argv.some((argument) => argument.includes(".full.")) ? [] : ["**/*.full.test.*"];

const common = {
  exclude: ["**/node_modules/**", ...excluded],
  // Against hanging alone: whole journeys take fifteen seconds on a quiet machine, and many times that beside the browser's tests.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // Every file makes its own app and database; loading the modules anew for each costs a third of the run.
  isolate: false,
};

/** On PostgreSQL only what opens the database that the run has prepared. */
function findServerTests(): string[] {
  if (process.env.TEST_DATABASE_URL === undefined) {
    return ["contract/**/*.test.ts", "server/**/*.test.ts", "bench/**/*.test.ts", "scripts/**/*.test.mjs"];
  }
  const openers = globSync("server/test/**/*.ts").filter((file) =>
    /databaseSnapshot|"\.{1,2}\/(?:\.\.\/)?(database|test-app)\.ts"/.test(readFileSync(file, "utf8")),
  );
  const imported = openers.map((file) => `/${basename(file)}"`);
  const candidates = full ? ["server/**/*.test.ts"] : ENGINE_TESTS;
  return globSync(candidates, { exclude: EMBEDDED_TESTS }).filter((file) => {
    const text = readFileSync(file, "utf8");
    return text.includes("databaseSnapshot") || imported.some((name) => text.includes(name));
  });
}

export default defineConfig({
  test: {
    // What waits long is in the full run, so three workers fill two cores. Each costs ten seconds of one before its first test.
    maxWorkers: process.env.TEST_FULL === "1" ? 4 : 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...common,
          name: "server",
          include: findServerTests(),
          globalSetup: ["server/test/global-setup.ts"],
          setupFiles: ["server/test/quiet-console.ts", "server/test/setup.ts"],
          // Node itself loads the modules, as when the server runs: Vite's loading costs two fifths of a short run.
          experimental: { viteModuleRunner: false },
          // As the server is started: a second of processor time of each worker.
          execArgv: [
            "--import",
            pathToFileURL(join(import.meta.dirname, "server/platform/process/resolve-modules.ts")).href,
            // Databases in memory make much short-lived garbage: a twelfth of the processor time.
            "--max-semi-space-size=32",
            // V8 aborts a process in which many databases were opened and closed when it frees their old code (nodejs/node#64500).
            "--no-wasm-code-gc",
          ],
        },
      },
      {
        test: {
          ...common,
          name: "web",
          include: process.env.TEST_DATABASE_URL === undefined ? ["web/**/*.test.ts"] : [],
          setupFiles: ["server/test/quiet-console.ts"],
        },
      },
    ],
  },
});
