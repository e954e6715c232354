/** The product behind a real PgBouncer in transaction mode, as separate processes. Debian: apt-get install pgbouncer. */
import { randomUUID } from "node:crypto";
import { expect, inject, onTestFinished, test } from "vitest";
import { onServer } from "#server/test/database.ts";
import { startFleet } from "#server/test/processes/fleet.ts";
import { beginLoad } from "#server/test/processes/ledger.ts";
import { findPgBouncer, startPgBouncer } from "#server/test/servers/pgbouncer.ts";
import { startTelegramServer } from "#server/test/servers/telegram-server.ts";

const SETTLED_MS = 90_000;

test(
  "two processes that share three sessions start on an empty database, answer, and tell screens what has changed",
  async ({ skip }) => {
    const given = inject("databaseSnapshot");
    if ("path" in given) return skip("needs PostgreSQL");
    const program = findPgBouncer();
    if (program === undefined) return skip("pgbouncer is not installed");
    const name = `pooled_${randomUUID().replaceAll("-", "")}`;
    const direct = new URL(given.url);
    direct.pathname = `/${name}`;
    await onServer(given.url, `create database ${name}`);
    onTestFinished(() => onServer(given.url, `drop database if exists ${name} with (force)`));
    const bouncer = await startPgBouncer(program, direct.href);
    onTestFinished(() => bouncer.close());
    const telegram = await startTelegramServer();
    onTestFinished(() => telegram.close());
    const fleet = await startFleet(direct.href, ["web", "worker"], {
      TELEGRAM_API_ROOT: telegram.root,
      DATABASE_URL: bouncer.throughPool(direct.href),
      DATABASE_DIRECT_URL: direct.href,
    });
    onTestFinished(() => fleet.close());
    const load = await beginLoad(fleet, telegram, { writers: 2, messagesPerSecond: 4 });
    await expect.poll(() => load.answered(), { timeout: SETTLED_MS }).toBeGreaterThan(15);
    const ledger = await load.settle(SETTLED_MS);
    expect(ledger).toMatchObject({
      failed: [],
      notes: { lost: 0, doubled: 0 },
      messages: { lost: 0, doubled: 0, unknown: 0 },
    });
    expect(ledger.notes.acknowledged).toBeGreaterThan(0);
    expect(ledger.changesHeard).toBeGreaterThan(0);
    // Each process exits on its own: no lock is left in another session of the pool.
    for (const member of fleet.members) expect((await member.end("SIGTERM")).code).toBe(0);
  },
  4 * SETTLED_MS,
);
