/** Two processes that answer requests and two that work, on one PostgreSQL: restarted in turn, and one killed. `npm run bench:rolling` is longer. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { onServer } from "./test/database.ts";
import { type Fleet, type Member, startFleet } from "./test/processes/fleet.ts";
import { beginLoad, type Ledger, type Load } from "./test/processes/ledger.ts";
import { startTelegramServer, type TelegramServer } from "./test/servers/telegram-server.ts";

const given = inject("databaseSnapshot");
const onPostgres = test.skipIf("path" in given);
/** Against hanging alone. */
const SETTLED_MS = 90_000;

let telegram: TelegramServer;
let fleet: Fleet;
let load: Load;
let dropDatabase = async () => {};
beforeAll(async () => {
  if ("path" in given) return;
  const name = `rolling_${randomUUID().replaceAll("-", "")}`;
  const url = new URL(given.url);
  url.pathname = `/${name}`;
  // Empty, so that all of them find it without tables and roles.
  await onServer(given.url, `create database ${name}`);
  dropDatabase = () => onServer(given.url, `drop database if exists ${name} with (force)`);
  telegram = await startTelegramServer();
  fleet = await startFleet(url.href, ["web", "web", "worker", "worker"], { TELEGRAM_API_ROOT: telegram.root });
}, 400_000);
afterAll(async () => {
  await fleet?.close();
  await telegram?.close();
  await dropDatabase();
});

const holder = async (): Promise<string | null> =>
  (await fleet.rows<{ lease_owner: string | null }>("select lease_owner from integrations"))[0]!.lease_owner;

const NOTHING_LOST = {
  failed: [],
  notes: { lost: 0, doubled: 0 },
  messages: { lost: 0, doubled: 0, unknown: 0 },
} satisfies { [Field in keyof Ledger]?: unknown };

onPostgres("a worker tells how it is and answers nothing else; whoever answers requests does", async () => {
  const [web, , worker] = fleet.members as [Member, Member, Member, Member];
  const statusOf = async (member: Member, path: string) => (await fetch(`${member.url()}${path}`)).status;
  for (const member of [web, worker]) {
    expect(await statusOf(member, "/healthz")).toBe(200);
    expect(await statusOf(member, "/readyz")).toBe(200);
  }
  expect(await statusOf(web, "/api/config")).toBe(200);
  for (const path of ["/", "/api/config", "/hooks/x", "/metrics"]) expect(await statusOf(worker, path)).toBe(404);
});

onPostgres(
  "a rolling restart under load fails no request, and each message is answered exactly once",
  async () => {
    load = await beginLoad(fleet, telegram, { writers: 2, messagesPerSecond: 3 });
    for (const member of fleet.members) {
      const before = load.answered();
      expect((await member.end("SIGTERM")).code).toBe(0);
      if (member.role === "worker") await expect.poll(holder, { timeout: SETTLED_MS }).not.toBeNull();
      // Whoever is left goes on.
      await expect.poll(() => load.answered(), { timeout: SETTLED_MS }).toBeGreaterThan(before);
      await member.start();
    }
    const ledger = await load.settle(SETTLED_MS);
    process.stdout.write(`${JSON.stringify(ledger)}\n`);
    expect(ledger).toMatchObject(NOTHING_LOST);
    expect(ledger.notes.acknowledged).toBeGreaterThan(20);
    expect(ledger.messages.said).toBeGreaterThan(20);
    expect(ledger.changesHeard).toBeGreaterThan(0);
  },
  5 * SETTLED_MS,
);

onPostgres(
  "when the worker that receives for a channel is killed another one receives, and nothing is answered twice",
  async () => {
    // The last to be restarted was the other one, so this one has taken over from it.
    await expect.poll(holder, { timeout: SETTLED_MS }).not.toBeNull();
    const killed = await holder();
    await fleet.members[2]!.end("SIGKILL");
    const ms = await load.ask(SETTLED_MS);
    process.stdout.write(`another worker answered ${(ms / 1000).toFixed(1)} s after the kill (goal: 15)\n`);
    expect(await holder()).not.toBe(killed);
    expect(await load.settle(SETTLED_MS)).toMatchObject(NOTHING_LOST);
  },
  3 * SETTLED_MS,
);
