/** On both engines: nobody who holds a connection waits for another, and what stands still is ended. */
import { setTimeout as wait } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openTestDatabase } from "#server/test/database.ts";
import { asTenant, isDatabaseAway, type OpenDatabase, type Tx } from "./database.ts";
import { ConnectionHeld, outsideTransactions, StalledTransaction } from "./held-connection.ts";
import { organizations } from "./schema.ts";
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

test("the outer database asked inside a transaction is refused at once, whichever way it is asked", async () => {
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
    // Both places are named: where the transaction was opened, and where it was asked.
    expect(refused!.message, way).toMatch(/openedHere[\s\S]*It was asked for here:\n +at /);
  }
});

test("what a transaction has only begun is free of it, at once or when it has ended", async () => {
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

test("a transaction that stands still is ended, told of with its place, and leaves nothing behind", async () => {
  const { db } = database;
  let abandoned: Promise<unknown> | undefined;
  async function standsStill(tx: Tx) {
    await tx.insert(organizations).values({ name: "Застрявшая" });
    // It waits for what waits for its connection.
    await outsideTransactions(async () => wait(STILL_MS * 4));
    abandoned = failure(tx.insert(organizations).values({ name: "После конца" }));
    await abandoned;
  }
  const began = Date.now();
  const error = await failure(db.transaction(standsStill));
  expect(error).toBeInstanceOf(StalledTransaction);
  expect(isDatabaseAway(error)).toBe(true);
  expect(Date.now() - began).toBeLessThan(STILL_MS * 4);
  expect(stalled.at(-1)!.message).toContain("held-connection.test.ts");
  // The next one finds its connection, and neither row.
  const left = () => db.select().from(organizations).where(eq(organizations.name, "Застрявшая"));
  expect(await left()).toEqual([]);
  await vi.waitFor(() => expect(abandoned).toBeDefined(), { timeout: 5000 });
  expect(await abandoned).toBeInstanceOf(Error);
  expect(await db.select().from(organizations).where(eq(organizations.name, "После конца"))).toEqual([]);
});

test("a transaction that works for long is left alone", async () => {
  await database.db.transaction(async (tx) => {
    for (const until = Date.now() + STILL_MS * 3; Date.now() < until; await wait(50)) await tx.execute(sql`select 1`);
  });
});
