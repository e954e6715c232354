/** A server whose failures are reported by mail. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { createMailer } from "#server/accounts/mail/mail.ts";
import { type AlertDeps, createAlerts } from "#server/operations/health/alerts.ts";
import type { InstallationFacts } from "#server/operations/health/facts.ts";
import { thisProcess } from "#server/operations/health/processes.ts";
import { readConfig } from "#server/platform/config.ts";
import type { Database, OpenDatabase } from "#server/platform/db/database.ts";
import { alerts as alertRows } from "#server/platform/db/schema/operations.ts";
import { createLog } from "#server/platform/log.ts";
import { resetCounts } from "#server/platform/process/metrics.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { type SmtpServer, startSmtpServer } from "#server/test/servers/smtp-server.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";

export const GB = 1024 ** 3;

export let smtp: SmtpServer;
export let telegram: TelegramServer;
export let database: OpenDatabase;
export let dataDir: string;

/** A server in good order. */
const calm = (): InstallationFacts => ({
  at: new Date(),
  databaseMs: 5,
  connections: [],
  backfills: [],
  disk: { totalBytes: 100 * GB, freeBytes: 50 * GB },
  files: true,
  unwritable: null,
  letters: null,
  queues: [],
  stuck: [],
  channels: [],
  processes: [],
  backups: { last: null, failure: null },
});
export const FULL_DISK = { disk: { totalBytes: 100 * GB, freeBytes: GB } };

interface Options {
  facts?: () => Promise<InstallationFacts>;
  db?: Database;
  settings?: Record<string, string>;
  writing?: AlertDeps["writing"];
}

/** A process that watches; what it finds is set by `now`. */
export function watching({
  facts,
  db = database.db,
  settings = { ALERT_EMAIL: "chief@example.test" },
  writing = { note: () => {} },
}: Options = {}) {
  const config = readConfig({
    SMTP_URL: smtp.url,
    MAIL_FROM: "Двойники <no-reply@twins.example>",
    PUBLIC_URL: "https://twins.example",
    DATA_DIR: dataDir,
    TELEGRAM_API_ROOT: telegram.root,
    ...settings,
  });
  const log = createLog("silent");
  const state = { facts: calm() };
  const deps: AlertDeps = {
    ...{ config, db, log, database, mailer: createMailer(config, log), self: thisProcess(config) },
    writing,
    facts: facts ?? (async () => state.facts),
  };
  const { look } = createAlerts(deps);
  return {
    look,
    find: (found: Partial<InstallationFacts>) => Object.assign(state, { facts: { ...calm(), ...found } }),
  };
}

export const START = new Date("2026-11-24T06:00:00Z").getTime();
export const MINUTE = 60_000;
export const subjects = () => smtp.letters.map(({ subject }) => subject);

/** Opens what the tests of the file that calls this start from, and closes it after them. */
export function prepareAlerts(): void {
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "dt-alerts-"));
    smtp = await startSmtpServer();
    telegram = await startTelegramServer();
    database = await openTestDatabase();
  });
  afterAll(async () => {
    await database.close();
    await telegram.close();
    await smtp.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  beforeEach(async () => {
    resetCounts();
    smtp.letters.length = 0;
    smtp.refuses = null;
    telegram.sent.length = 0;
    telegram.revoked.clear();
    await database.db.delete(alertRows);
  });
}
