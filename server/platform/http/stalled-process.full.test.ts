/** A process that is stopped (SIGSTOP) during a request with a key, for longer than others wait for it. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { onServer } from "#server/test/database.ts";
import { TWIN } from "#server/test/factories/twin-input.ts";
import { type Fleet, type Member, startFleet } from "#server/test/processes/fleet.ts";

const given = inject("databaseSnapshot");
const SETTLED_MS = 120_000;

let url: string;
let fleet: Fleet;
let dropDatabase = async () => {};
beforeAll(async () => {
  if ("path" in given) return;
  const name = `stalled_${randomUUID().replaceAll("-", "")}`;
  url = Object.assign(new URL(given.url), { pathname: `/${name}` }).href;
  await onServer(given.url, `create database ${name}`);
  dropDatabase = () => onServer(given.url, `drop database if exists ${name} with (force)`);
  fleet = await startFleet(url, ["web", "web"], {});
}, 400_000);
afterAll(async () => {
  await fleet?.close();
  await dropDatabase();
});

async function createTwin(at: Member, key: string): Promise<{ status: number; body: { code?: string } }> {
  const answer = await fetch(`${at.url()}/api/digital-twins`, {
    method: "POST",
    headers: { ...fleet.headers(), "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify(TWIN),
  });
  return { status: answer.status, body: (await answer.json()) as { code?: string } };
}

async function holdTwins(): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("begin; lock table twins in share mode");
  return async () => void (await holder.query("commit"));
}

test.skipIf("path" in given)(
  "a process that is stopped in the transaction of a request does not commit it once another has executed the repetition",
  async () => {
    const [stopped, other] = fleet.members as [Member, Member];
    const key = randomUUID();
    const release = await holdTwins();
    const late = createTwin(stopped, key);
    const isWaiting = () => fleet.rows("select from pg_locks where relation = 'twins'::regclass and not granted");
    await expect.poll(isWaiting, { timeout: SETTLED_MS }).toHaveLength(1);
    const { pid } = stopped;
    process.kill(pid(), "SIGSTOP");
    onTestFinished(() => void process.kill(pid(), "SIGCONT"));
    // The twin is added now, in a transaction that stays open.
    await release();
    const repeat = async () => (await createTwin(other, key)).status;
    await expect.poll(repeat, { timeout: SETTLED_MS, interval: 1000 }).toBe(201);
    process.kill(pid(), "SIGCONT");
    expect(await late).toMatchObject({ status: 409, body: { code: "idempotency_running" } });
    expect(await fleet.rows("select from twins")).toHaveLength(1);
    // A retry gets the answer of the executed request.
    const again = async () => (await createTwin(stopped, key)).status;
    // Right after it continues, the process refuses all calls, because its event loop was late by the time of the stop.
    await expect.poll(again, { timeout: SETTLED_MS, interval: 1000 }).toBe(201);
    expect(await fleet.rows("select from twins")).toHaveLength(1);
  },
  3 * SETTLED_MS,
);
