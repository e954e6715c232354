/** Builds the live things that the features are given. */

import { createMailer, type Mailer } from "./auth/mail.ts";
import type { Config } from "./config.ts";
import { type Database, type OpenDatabase, openDatabase } from "./db/database.ts";
import { type Jobs, openJobs } from "./jobs/queue.ts";
import type { Log } from "./log.ts";

export interface Services {
  config: Config;
  log: Log;
  database: OpenDatabase;
  db: Database;
  jobs: Jobs;
  mailer: Mailer;
}

export async function createServices(config: Config, log: Log, opened?: OpenDatabase): Promise<Services> {
  const database =
    opened ??
    (await openDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, pool: config.databasePool }));
  const jobs = await openJobs(database, log);
  return { config, log, database, db: database.db, jobs, mailer: createMailer(config, log) };
}
