import { vector } from "@electric-sql/pglite-pgvector";
import { sql } from "drizzle-orm";
import { expect, inject, type TestContext, test } from "vitest";
import { asTenant, type OpenDatabase, type Tx } from "#server/platform/db/database.ts";
import { preparePgvector } from "#server/platform/db/pgvector.ts";
import { createLog } from "#server/platform/log.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { buildTenantWithTwin } from "#server/test/factories/build-rows.ts";
import { type Letter, storeLetters } from "#server/test/factories/stored-letters.ts";
import { encodeVector } from "./codes.ts";
import { type NearestQuery, nearestUnits } from "./nearest-units.ts";
import { readWaiting, storeEmbeddings } from "./stored-embeddings.ts";
import type { Audience } from "./twin-units.ts";

const log = createLog("silent");

/** Skips the test when PostgreSQL lacks pgvector. */
async function openWithVector(context: TestContext): Promise<OpenDatabase> {
  const database = await openTestDatabase("path" in inject("databaseSnapshot") ? { extensions: { vector } } : {});
  const { rows } = await database.db.execute(sql`select 1 from pg_available_extensions where name = 'vector'`);
  if (rows.length === 0) {
    await database.close();
    context.skip("this PostgreSQL has no pgvector");
  }
  return database;
}

test("pgvector finds the same as the process itself for each audience, also among older vectors", async (context) => {
  const database = await openWithVector(context);
  try {
    const { db } = database;
    const { tenant, twinId } = await buildTenantWithTwin(db);
    const run = <T>(work: (tx: Tx) => Promise<T>) => asTenant(db, tenant, work);
    const letter = (at: number): Letter => ({
      name: at % 2 === 0 ? "Анна" : "Борис",
      incoming: `вопрос ${at}`,
      reply: `ответ ${at}`,
      audience: "own",
    });
    const random = seededRandom("pgvector");
    const randomVector = () => Float32Array.from({ length: 40 }, () => random() - 0.5);
    const learn = async (tx: Tx) => {
      const units = await readWaiting(tx, twinId, "example", Number.MAX_SAFE_INTEGER, 100);
      const learnt = units.map((unit) => ({ ...unit, ...encodeVector(randomVector()) }));
      await storeEmbeddings(tx, { ...tenant, twinId }, "example", "m", learnt);
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
        const scale = { replyExample: { middle: 0, slope: 1, least: -1 }, chunk: { middle: 0, slope: 1, least: -1 } };
        const queryEmbedding = { model: "m", vector: asked.map((value) => value / length), scale, inDatabase };
        const query = {
          twinId,
          stamp: "",
          audience,
          kinds: ["example"],
          queryEmbedding,
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
      const without = new Map([["example", new Set([here[0]!.id])]]);
      expect((await near(true, without)).map(({ id }) => id)).toEqual(here.slice(1).map(({ id }) => id));
    }
  } finally {
    await database.close();
  }
});
