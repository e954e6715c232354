/**
 * Two web processes and two workers on one PostgreSQL under one load: one of each is killed, PostgreSQL is restarted, and all are restarted
 * in turn. `npm run bench:rolling` is longer.
 */
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Fleet, type Member, startFleet } from "./test/processes/fleet.ts";
import { beginLoad, type Ledger, type Load } from "./test/processes/ledger.ts";
import { type OwnPostgres, startOwnPostgres } from "./test/processes/own-postgres.ts";
import { startTelegramServer, type TelegramServer } from "./test/servers/telegram-server.ts";

const given = inject("databaseSnapshot");
const onPostgres = test.skipIf("path" in given);
/** Milliseconds; guards only against hanging. */
const SETTLED_MS = 180_000;

let telegram: TelegramServer;
let fleet: Fleet;
let load: Load;
let postgres: OwnPostgres;
beforeAll(async () => {
  if ("path" in given) return;
  // It needs its own PostgreSQL, because it restarts it; empty, so that all processes find no tables and roles.
  postgres = await startOwnPostgres();
  telegram = await startTelegramServer();
  fleet = await startFleet(postgres.url, ["web", "web", "worker", "worker"], { TELEGRAM_API_ROOT: telegram.root });
}, 400_000);
afterAll(async () => {
  await fleet?.close();
  await telegram?.close();
  await postgres?.stop();
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
  "a rolling restart under load: whoever is left goes on",
  async () => {
    load = await beginLoad(fleet, telegram, { writers: 3, messagesPerSecond: 1, pauseMs: 400 });
    for (const member of fleet.members) {
      const before = load.answered();
      expect((await member.end("SIGTERM")).code).toBe(0);
      if (member.role === "worker") await expect.poll(holder, { timeout: SETTLED_MS }).not.toBeNull();
      await expect.poll(() => load.answered(), { timeout: SETTLED_MS }).toBeGreaterThan(before);
      await member.start();
    }
  },
  4 * SETTLED_MS,
);

onPostgres(
  "a web and the worker that receives for a channel are killed under the same load, and another worker receives",
  async () => {
    await expect.poll(holder, { timeout: SETTLED_MS }).not.toBeNull();
    const killed = await holder();
    // The other worker was restarted last, so this one has taken over from it.
    const [web, , worker] = fleet.members as [Member, Member, Member, Member];
    // Killing a process while it sends these leaves their delivery unknown.
    telegram.script({ kind: "hang" }, { kind: "slow", ms: 2000 }, { kind: "hang" });
    await expect.poll(() => telegram.hanging, { timeout: SETTLED_MS }).toBe(2);
    await load.outage(() => Promise.all([web.end("SIGKILL"), worker.end("SIGKILL")]));
    const ms = await load.ask(SETTLED_MS);
    process.stdout.write(`a message is answered ${(ms / 1000).toFixed(1)} s after the kill (goal: 15)\n`);
    expect(await holder()).not.toBe(killed);
    await Promise.all([web.start(), worker.start()]);
  },
  3 * SETTLED_MS,
);

onPostgres(
  "PostgreSQL is restarted under the same load; after all three no request has failed but those that were cut off, nothing is lost or there twice",
  async () => {
    const began = performance.now();
    await load.outage(async () => {
      await postgres.restart();
      await expect.poll(areReady, { timeout: SETTLED_MS }).toBe(true);
    });
    process.stdout.write(
      `all ready ${((performance.now() - began) / 1000).toFixed(1)} s after PostgreSQL was stopped\n`,
    );
    await load.ask(SETTLED_MS);
    const ledger = await load.settle(SETTLED_MS);
    process.stdout.write(`${JSON.stringify(ledger)}\n`);
    expect(ledger).toMatchObject(NOTHING_LOST);
    expect(ledger.messages.listed).toBe(ledger.messages.cutOff);
    expect(ledger.notes.acknowledged).toBeGreaterThan(20);
    expect(ledger.messages.said).toBeGreaterThan(20);
    expect(ledger.changesHeard).toBeGreaterThan(0);
  },
  5 * SETTLED_MS,
);

async function areReady(): Promise<boolean> {
  const ready = fleet.members.map(async (member) => (await fetch(`${member.url()}/readyz`).catch(() => null))?.ok);
  return (await Promise.all(ready)).every((one) => one === true);
}
