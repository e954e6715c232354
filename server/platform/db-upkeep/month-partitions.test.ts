import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { asPlatform, asTenant, type OpenDatabase, type Tenant } from "#server/platform/db/database.ts";
import { organizations, users } from "#server/platform/db/schema/accounts.ts";
import { activity } from "#server/platform/db/schema/operations.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { ROWS_AT_ONCE } from "./delete-old.ts";
import { maintainMonthPartitions } from "./month-partitions.ts";

const DAY = 24 * 3600_000;
const KEPT = 90 * DAY;
/** A month after every partition that the migration has created. */
const MARCH = Date.UTC(2040, 2, 15);

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.execute(sql`delete from organizations`);
});

const keep = (now: number) => maintainMonthPartitions(database.db, "activity", { now, before: now - KEPT });

async function organisation(): Promise<Tenant & { twinId: string }> {
  const { db } = database;
  const [org] = await db.insert(organizations).values({ name: "Организация" }).returning();
  const [user] = await db
    .insert(users)
    .values({ authMethod: "email", email: `${randomUUID()}@example.test` })
    .returning();
  const tenant = { organizationId: org!.id, userId: user!.id };
  const words = { name: "Анна", description: "…", personality: "…", communicationStyle: "…" };
  const [twin] = await asTenant(db, tenant, (tx) =>
    tx
      .insert(twins)
      .values({ orgId: org!.id, ownerId: user!.id, ...words })
      .returning(),
  );
  return { ...tenant, twinId: twin!.id };
}

type Organisation = Awaited<ReturnType<typeof organisation>>;

const note = ({ twinId, ...tenant }: Organisation, at: number, times = 1) =>
  asTenant(database.db, tenant, (tx) =>
    tx.execute(sql`
      insert into activity (org_id, twin_id, type, twin_name, description, created_at)
      select ${tenant.organizationId}::uuid, ${twinId}::uuid, 'response_generated', 'Анна', '…', ${new Date(at).toISOString()}::timestamptz
      from generate_series(1, ${times}::int)`),
  );

const seen = async (tenant: Tenant): Promise<string[]> => {
  const rows = await asTenant(database.db, tenant, (tx) => tx.select().from(activity).orderBy(activity.createdAt));
  return rows.map(({ createdAt }) => createdAt.toISOString().slice(0, 10));
};

const partitions = async (): Promise<string[]> => {
  const { rows } = await database.db.execute(sql`
    select relname as name from pg_class where relnamespace = 'partitions'::regnamespace and relkind = 'r' order by 1`);
  return rows.map(({ name }) => name as string);
};

describe("a table that is partitioned by month", () => {
  test("keeps its partitions closed to the roles of requests, also those that are made later", async () => {
    await keep(Date.now());
    const ours = await organisation();
    const names = await partitions();
    // One partition for older rows, one for each of the next two months, and the default one.
    expect(names).toHaveLength(4);
    for (const name of names) {
      const look = sql`select * from partitions.${sql.identifier(name)}`;
      const closed = { cause: { code: "42501" } };
      await expect(
        asTenant(database.db, ours, (tx) => tx.execute(look)),
        name,
      ).rejects.toMatchObject(closed);
      await expect(
        asPlatform(database.db, (tx) => tx.execute(look)),
        name,
      ).rejects.toMatchObject(closed);
    }
    const { rows } = await database.db.execute(sql`
      select c.relname as name, c.relrowsecurity as secured, (select count(*)::int from pg_policy where polrelid = c.oid) as policies,
        has_table_privilege('dt_request', c.oid, 'SELECT, INSERT, UPDATE, DELETE') as granted
      from pg_class c where c.relnamespace = 'partitions'::regnamespace and c.relkind = 'r'`);
    for (const { name, ...rest } of rows) {
      expect({ name, ...rest }).toEqual({ name, secured: true, policies: 0, granted: false });
    }
    const usage = await database.db.execute(
      sql`select has_schema_privilege('dt_request', 'partitions', 'USAGE') or has_schema_privilege('dt_platform', 'partitions', 'USAGE') as may`,
    );
    expect(usage.rows[0]).toEqual({ may: false });
  });

  test("has a partition for this month and the two after it before the first write", async () => {
    await keep(MARCH);
    expect(await partitions()).toEqual(
      expect.arrayContaining(["activity_2040_03", "activity_2040_04", "activity_2040_05"]),
    );
    const before = await partitions();
    await keep(MARCH);
    expect(await partitions()).toEqual(before);
  });

  test("shows an organisation its own rows of all months, and no other's", async () => {
    await keep(MARCH);
    const [ours, theirs] = [await organisation(), await organisation()];
    // Before the first month, within a partition's month, and in a month without a partition.
    for (const at of [Date.UTC(2020, 0, 5), MARCH, Date.UTC(2050, 0, 5)]) await note(ours, at);
    await note(theirs, MARCH + DAY);
    expect(await seen(ours)).toEqual(["2020-01-05", "2040-03-15", "2050-01-05"]);
    expect(await seen(theirs)).toEqual(["2040-03-16"]);
    const forge = asTenant(database.db, ours, (tx) =>
      tx.insert(activity).values({ orgId: theirs.organizationId, type: "…", twinName: "…", description: "…" }),
    );
    await expect(forge).rejects.toMatchObject({ cause: { code: "42501" } });
  });

  test("drops a month when its newest row has had its time, and no sooner", async () => {
    await keep(MARCH);
    const ours = await organisation();
    await note(ours, MARCH);
    await note(ours, Date.UTC(2040, 3, 2));
    await keep(Date.UTC(2040, 3, 1) + KEPT - DAY);
    expect(await seen(ours)).toEqual(["2040-03-15", "2040-04-02"]);
    await keep(Date.UTC(2040, 3, 1) + KEPT + 1000);
    expect(await partitions()).not.toContain("activity_2040_03");
    expect(await seen(ours)).toEqual(["2040-04-02"]);
  });

  test("deletes the rows of before the first month by their age, of all organisations and in rounds", async () => {
    const [ours, theirs] = [await organisation(), await organisation()];
    const now = Date.now();
    await note(ours, now - KEPT - DAY, ROWS_AT_ONCE + 10);
    await note(theirs, now - KEPT - DAY);
    await note(theirs, now);
    await keep(now);
    expect(await seen(ours)).toEqual([]);
    expect(await seen(theirs)).toHaveLength(1);
  });

  test("takes rows of a month without a partition, and goes on beside them", async () => {
    const late = Date.UTC(2045, 5, 10);
    const ours = await organisation();
    await note(ours, late);
    await keep(late);
    expect(await partitions()).not.toContain("activity_2045_06");
    expect(await partitions()).toContain("activity_2045_07");
    await note(ours, late + DAY);
    expect(await seen(ours)).toEqual(["2045-06-10", "2045-06-11"]);
    await keep(late + KEPT + 2 * DAY);
    expect(await seen(ours)).toEqual([]);
  });

  // It waits for the lock timeout itself, half a second for each partition to create or drop. The embedded engine has one connection, so
  // nothing there can wait.
  test.skipIf("path" in inject("databaseSnapshot"))(
    "gives up a partition at once where readers hold the table, and makes it the next time",
    async () => {
      const held = Promise.withResolvers<void>();
      const locked = Promise.withResolvers<void>();
      const reader = database.db.transaction(async (tx) => {
        await tx.execute(sql`lock table activity in access share mode`);
        await tx.execute(sql`lock table partitions.activity_rest in access share mode`);
        locked.resolve();
        await held.promise;
      });
      await locked.promise;
      const later = Date.UTC(2060, 0, 1);
      await keep(later);
      expect(await partitions()).not.toContain("activity_2060_01");
      held.resolve();
      await reader;
      // PostgreSQL's autovacuum may hold the default partition in just this moment: then the run after it makes the month.
      const made = async () => {
        await keep(later);
        return partitions();
      };
      await expect.poll(made, { timeout: 10_000, interval: 100 }).toContain("activity_2060_01");
    },
  );

  test("loses the rows of a deleted twin in every month", async () => {
    await keep(MARCH);
    const [ours, theirs] = [await organisation(), await organisation()];
    for (const at of [Date.UTC(2020, 0, 5), MARCH]) {
      await note(ours, at);
      await note(theirs, at);
    }
    await asTenant(database.db, ours, (tx) => tx.delete(twins).where(eq(twins.id, ours.twinId)));
    expect(await seen(ours)).toEqual([]);
    expect(await seen(theirs)).toHaveLength(2);
  });
});
