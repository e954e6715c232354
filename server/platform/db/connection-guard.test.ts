/** Runs on both engines: code that holds a connection never waits for another one, and a stuck transaction is ended. */
import { setTimeout as wait } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openTestDatabase } from "#server/test/database.ts";
import { ConnectionHeld, outsideTransactions, StalledTransaction } from "./connection-guard.ts";
import { asTenant, isDatabaseAway, type OpenDatabase, type Tx } from "./database.ts";
import { organizations } from "./schema/accounts.ts";
import { eachAsTenant } from "./tenant-statements.ts";

const TENANT = {
  organizationId: "00000000-0000-4000-8000-000000000001",
  userId: "00000000-0000-4000-8000-000000000002",
};
const STILL_MS = 400;

let database: OpenDatabase;
const stalled: StalledTransaction[] = [];
beforeAll(async () => {
  database = await openTestDatabase({ stillMs: STILL_MS });
  database.onStalled((one) => stalled.push(one));
});
afterAll(() => database.close());

const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: Error) => (error.cause instanceof Error ? error.cause : error),
  );

test("using the outer database inside a transaction is refused at once, whichever way it is used", async () => {
  const { db } = database;
  const asked: [way: string, ask: () => Promise<unknown>][] = [
    ["a statement", () => db.execute(sql`select 1`)],
    ["a query of the pool", () => db.$client.query("select 1")],
    ["a transaction", () => db.transaction(async () => {})],
    ["a tenant's transaction", () => asTenant(db, TENANT, async () => {})],
    ["a tenant's statement", () => eachAsTenant(db, TENANT).execute(sql`select 1`)],
  ];
  async function openedHere(ask: () => Promise<unknown>) {
    return asTenant(db, TENANT, async (tx) => {
      await tx.execute(sql`select 1`);
      return failure(ask());
    });
  }
  for (const [way, ask] of asked) {
    const refused = await openedHere(ask);
    expect(refused, way).toBeInstanceOf(ConnectionHeld);
    // The error names both places: where the transaction was opened and where the outer database was used.
    expect(refused!.message, way).toMatch(/openedHere[\s\S]*It was asked for here:\n +at /);
  }
});

test("work that a transaction starts for later may use the outer database, at once or after its end", async () => {
  const { db } = database;
  let later: Promise<unknown> | undefined;
  let free: Promise<unknown> | undefined;
  await db.transaction(async (tx) => {
    later = wait(100).then(() => db.execute(sql`select 1`));
    free = outsideTransactions(() => db.execute(sql`select 1`));
    await tx.execute(sql`select 1`);
  });
  await Promise.all([later, free]);
});

test("a stuck transaction is ended, reported with its place in the code, and leaves nothing behind", async () => {
  const { db } = database;
  let abandoned: Promise<unknown> | undefined;
  async function standsStill(tx: Tx) {
    await tx.insert(organizations).values({ name: "Застрявшая" });
    // A deadlock: the transaction waits for work that waits for its connection.
    await outsideTransactions(async () => wait(STILL_MS * 4));
    abandoned = failure(tx.insert(organizations).values({ name: "После конца" }));
    await abandoned;
  }
  const began = Date.now();
  const error = await failure(db.transaction(standsStill));
  expect(error).toBeInstanceOf(StalledTransaction);
  expect(isDatabaseAway(error)).toBe(true);
  expect(Date.now() - began).toBeLessThan(STILL_MS * 4);
  expect(stalled.at(-1)!.message).toContain("connection-guard.test.ts");
  // The next transaction gets the connection and finds neither row.
  const left = () => db.select().from(organizations).where(eq(organizations.name, "Застрявшая"));
  expect(await left()).toEqual([]);
  await vi.waitFor(() => expect(abandoned).toBeDefined(), { timeout: 5000 });
  expect(await abandoned).toBeInstanceOf(Error);
  expect(await db.select().from(organizations).where(eq(organizations.name, "После конца"))).toEqual([]);
});

test("a long transaction that keeps sending statements is left alone", async () => {
  await database.db.transaction(async (tx) => {
    for (const until = Date.now() + STILL_MS * 3; Date.now() < until; await wait(50)) await tx.execute(sql`select 1`);
  });
});
