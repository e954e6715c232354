import { vector } from "@electric-sql/pglite-pgvector";
import { sql } from "drizzle-orm";
import { expect, inject, type TestContext, test } from "vitest";
import { asTenant, type OpenDatabase, type Tx } from "#server/db/database.ts";
import { preparePgvector } from "#server/db/pgvector.ts";
import { organizations, twins, users } from "#server/db/schema.ts";
import { createLog } from "#server/log.ts";
import { seededRandom } from "#server/seeded-random.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { type Letter, storeLetters } from "#server/test/stored-letters.ts";
import type { Audience } from "../twin-units.ts";
import { encodeVector } from "./codes.ts";
import { type NearestQuery, nearestUnits } from "./nearest-units.ts";
import { readWaiting, storeMeanings } from "./stored-meanings.ts";

const log = createLog("silent");

/** With pgvector, or the test is skipped: PostgreSQL may lack it. */
async function openWithVector(context: TestContext): Promise<OpenDatabase> {
  const database = await openTestDatabase("path" in inject("databaseSnapshot") ? { extensions: { vector } } : {});
  const { rows } = await database.db.execute(sql`select 1 from pg_available_extensions where name = 'vector'`);
  if (rows.length === 0) {
    await database.close();
    context.skip("this PostgreSQL has no pgvector");
  }
  return database;
}

test("pgvector finds what the process itself finds, for each audience, also among vectors of before", async (context) => {
  const database = await openWithVector(context);
  try {
    const { db } = database;
    const [user] = await db.insert(users).values({ authMethod: "email" }).returning({ id: users.id });
    const [organization] = await db.insert(organizations).values({ name: "О" }).returning({ id: organizations.id });
    const tenant = { organizationId: organization!.id, userId: user!.id };
    const run = <T>(work: (tx: Tx) => Promise<T>) => asTenant(db, tenant, work);
    const about = { name: "Д", description: "", personality: "", communicationStyle: "" };
    const row = { orgId: tenant.organizationId, ownerId: tenant.userId, ...about };
    const [twin] = await run((tx) => tx.insert(twins).values(row).returning({ id: twins.id }));
    const twinId = twin!.id;
    const letter = (at: number): Letter => ({
      name: at % 2 === 0 ? "Анна" : "Борис",
      incoming: `вопрос ${at}`,
      reply: `ответ ${at}`,
      audience: "own",
    });
    const random = seededRandom("pgvector");
    const randomVector = () => Float32Array.from({ length: 40 }, () => random() - 0.5);
    const learn = async (tx: Tx) => {
      const units = await readWaiting(tx, twinId, "exemplar", Number.MAX_SAFE_INTEGER, 100);
      const learnt = units.map((unit) => ({ ...unit, ...encodeVector(randomVector()) }));
      await storeMeanings(tx, { ...tenant, twinId }, "exemplar", "m", learnt);
      return learnt.length;
    };
    const contacts = await run((tx) =>
      storeLetters(
        tx,
        { ...tenant, twinId },
        Array.from({ length: 30 }, (_, at) => letter(at)),
      ),
    );
    expect(await run(learn)).toBe(30);

    expect(await preparePgvector(db, log)).toBe(true);
    expect(await preparePgvector(db, log)).toBe(true);
    await run((tx) =>
      storeLetters(
        tx,
        { ...tenant, twinId },
        Array.from({ length: 30 }, (_, at) => letter(30 + at)),
      ),
    );
    expect(await run(learn)).toBe(30);

    const audiences: Audience[] = [{ kind: "owner" }, { kind: "contact", contactId: contacts.Анна! }];
    for (const audience of audiences) {
      const asked = randomVector();
      const length = Math.hypot(...asked);
      const near = (inDatabase: boolean, leftOut: NearestQuery["leftOut"] = new Map()) => {
        const scale = { exemplar: { middle: 0, slope: 1, least: -1 }, passage: { middle: 0, slope: 1, least: -1 } };
        const meaning = { model: "m", vector: asked.map((value) => value / length), scale, inDatabase };
        const query = {
          twinId,
          stamp: "",
          audience,
          kinds: ["exemplar"],
          meaning,
          limit: 60,
          leftOut,
        } satisfies NearestQuery;
        return run((tx) => nearestUnits(tx, { signs: () => undefined, keepSigns: () => {} }, query));
      };
      const here = await near(false);
      const there = await near(true);
      expect(there.map(({ id }) => id)).toEqual(here.map(({ id }) => id));
      for (const [at, unit] of there.entries()) expect(unit.similarity).toBeCloseTo(here[at]!.similarity, 2);
      expect(here).toHaveLength(audience.kind === "owner" ? 60 : 15);
      const without = new Map([["exemplar", new Set([here[0]!.id])]]);
      expect((await near(true, without)).map(({ id }) => id)).toEqual(here.slice(1).map(({ id }) => id));
    }
  } finally {
    await database.close();
  }
});
