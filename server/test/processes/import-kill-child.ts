/**
 * A server's job process for killed-import.ts: works on the given import and writes a line `<status> <processed>` at
 * each change, until it is killed. Arguments: data folder, database address (or -), how (queue, or at once), tenant and import.
 */
import { setTimeout } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { importJobs } from "#server/imports/runs/jobs.ts";
import { runImport } from "#server/imports/runs/run-import.ts";
import { readConfig } from "#server/platform/config.ts";
import { asTenant, openDatabase } from "#server/platform/db/database.ts";
import { imports } from "#server/platform/db/schema/imports.ts";
import { openJobs } from "#server/platform/jobs/queue.ts";
import { createLog } from "#server/platform/log.ts";
import { openFileStore } from "#server/platform/object-storage/open-file-store.ts";

const [dataDir = "", address, how, organizationId = "", userId = "", importId = ""] = process.argv.slice(2);
const { STORAGE_URL, STORAGE_KEY, STORAGE_SECRET } = process.env;
const storage = { STORAGE_URL, STORAGE_KEY, STORAGE_SECRET };
const config = readConfig({ NODE_ENV: "test", LOG_LEVEL: "error", DATA_DIR: dataDir, ...storage });
const log = createLog(config.logLevel);
const database = await openDatabase({ databaseUrl: address === "-" ? null : address!, dataDir, pool: 5 });
const { db } = database;
const jobs = await openJobs(database, log);
const files = openFileStore(config, db);
const deps = { db, jobs, files, log, config };
const tenant = { organizationId, userId };

if (how === "queue")
  await jobs.start({
    ...importJobs(deps),
    "find-facts": async () => {},
    "close-gaps": async () => {},
    "read-website": async () => {},
    "replay-corrections": async () => {},
    "learn-embeddings": async () => {},
    "measure-fidelity": async () => {},
    "train-twin": async () => {},
    "take-exam": async () => {},
    "take-shared-exam": async () => {},
    "take-twin-exam": async () => {},
    "process-inbox": async () => {},
    "read-media": async () => {},
    "read-original": async () => {},
    "read-imported": async () => {},
    "send-outbox": async () => {},
    "wake-conversation": async () => {},
    "import-account": async () => {},
    "list-dialogs": async () => {},
    "notify-owner": async () => {},
    "notify-member": async () => {},
    "deliver-webhook": async () => {},
    "fill-crm": async () => {},
    "make-export": async () => {},
  });
else void runImport(deps, { ...tenant, importId }, new AbortController().signal);

for (let said = ""; ; await setTimeout(10)) {
  const [row] = await asTenant(db, tenant, (tx) => tx.select().from(imports).where(eq(imports.id, importId)));
  const line = `${row?.status} ${row?.processed}\n`;
  if (line !== said) process.stdout.write(line);
  said = line;
}
