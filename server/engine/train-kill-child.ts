/**
 * A server's job process for train-kill.test.ts: takes the waiting training from the queue and writes a line with the number of
 * passages and of index segments at each change, until it is killed. Arguments: data folder, database address (or -), tenant.
 */
import { setTimeout } from "node:timers/promises";
import { count } from "drizzle-orm";
import { asTenant, openDatabase } from "#server/db/database.ts";
import { indexSegments, passages } from "#server/db/schema.ts";
import { openJobs } from "#server/jobs/queue.ts";
import { createLog } from "#server/log.ts";
import { trainTwin } from "./train-twin.ts";

const [dataDir = "", address, organizationId = "", userId = ""] = process.argv.slice(2);
const database = await openDatabase({ databaseUrl: address === "-" ? null : address!, dataDir, pool: 5 });
const jobs = await openJobs(database, createLog("error"));
const none = async () => {};
await jobs.start({
  "train-twin": (data, signal) => trainTwin({ db: database.db, jobs }, data, signal),
  "read-import": none,
  "run-import": none,
});

for (let said = ""; ; await setTimeout(5)) {
  const line = await asTenant(database.db, { organizationId, userId }, async (tx) => {
    const [split] = await tx.select({ total: count() }).from(passages);
    const [built] = await tx.select({ total: count() }).from(indexSegments);
    return `${split!.total} ${built!.total}\n`;
  });
  if (line !== said) process.stdout.write(line);
  said = line;
}
