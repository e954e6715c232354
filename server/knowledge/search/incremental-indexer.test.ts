import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asTenant, type OpenDatabase, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { chats, indexSegments } from "#server/platform/db/schema/knowledge.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { buildSource, buildTenant, buildTwinRow } from "#server/test/factories/build-rows.ts";
import { buildTwinIndex } from "./build-twin-index.ts";
import { IncrementalIndexer } from "./incremental-indexer.ts";
import { searchTwin, setIndexCacheBytes } from "./twin-index.ts";

let database: OpenDatabase;
let tenant: Tenant;
let twinId: string;
const within = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => asTenant(database.db, tenant, work);
const segments = () =>
  within((tx) => tx.select({ units: indexSegments.units }).from(indexSegments).where(eq(indexSegments.twinId, twinId)));

beforeAll(async () => {
  database = await openTestDatabase();
  // Clears the cache, because another file's database has the same numbers.
  setIndexCacheBytes(64 * 2 ** 20);
  const { db } = database;
  tenant = await buildTenant(db);
  const orgId = tenant.organizationId;
  await within(async (tx) => {
    twinId = await buildTwinRow(tx, tenant);
    const place = { orgId, twinId, platform: "telegram", externalId: "1", name: "Анна" };
    const sourceId = await buildSource(tx, place);
    const [chat] = await tx
      .insert(chats)
      .values({ ...place, sourceId, kind: "private" })
      .returning();
    // An empty text has nothing to index.
    await tx.execute(sql`
      insert into messages (org_id, twin_id, chat_id, from_owner, external_id, text, sent_at)
      select ${orgId}::uuid, ${twinId}::uuid, ${chat!.id}::bigint, true, n, case n when 1 then '' else 'заказ ' || n end, now()
      from generate_series(1, 30002) n`);
  });
});
afterAll(() => database.close());

test("an import is indexed while it runs, one whole segment at a time, and the training does the rest", async () => {
  const ahead = await IncrementalIndexer.open(database.db, tenant, twinId, AbortSignal.timeout(60_000));
  ahead.stored("message", 29_999);
  ahead.stored("example", 29_999);
  await ahead.end();
  expect(await segments()).toEqual([]);

  const [first, second] = await Promise.all(
    [1, 2].map(() => IncrementalIndexer.open(database.db, tenant, twinId, AbortSignal.timeout(60_000))),
  );
  // Reports rows as an import does: inside the transaction that stores them.
  await within(async () => {
    first!.stored("example", 30_000);
    first!.stored("message", 30_002);
  });
  // A second run over the same rows gives up.
  second!.stored("message", 30_002);
  await Promise.all([first!.end(), second!.end()]);
  expect(await segments()).toEqual([{ units: 25_000 }]);

  expect(await buildTwinIndex(database.db, tenant, twinId)).toBe(5001);
  expect(await buildTwinIndex(database.db, tenant, twinId)).toBe(0);
  const find = (query: string) =>
    within((tx) => searchTwin(tx, { twinId, audience: { kind: "owner" }, query, kinds: ["message"], limit: 1 }));
  expect((await find("заказ 7"))[0]).toMatchObject({ text: "заказ 7" });
  expect((await find("заказ 29999"))[0]).toMatchObject({ text: "заказ 29999" });
});
