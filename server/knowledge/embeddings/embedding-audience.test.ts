/**
 * For a stranger or a member, a search by embedding compares only chunks and published replies: no private message is read, however near.
 */
import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { trainTwin } from "#server/answers/training/train-twin.ts";
import { openTwinIndex } from "#server/knowledge/search/twin-index.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { storeLetters } from "#server/test/factories/stored-letters.ts";
import { HOUSE_TWIN } from "#server/test/factories/twin-input.ts";
import { type EmbeddingServer, startEmbeddingServer } from "#server/test/servers/embedding-server.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { learnEmbeddings } from "./learn-embeddings.ts";
import { embeddedKinds, nearestUnits, type SignCache, type SignState } from "./nearest-units.ts";
import type { QueryEmbedding } from "./query-embedder.ts";
import type { Audience } from "./twin-units.ts";

/** The texts have the same meaning and no word in common. */
const CHUNK = "Зимний режим: сугробы возле крыльца убирает бригада дворников.";
const LETTER = "Ключи от гаража лежат под ковриком?";
const OPENED = "Когда работает приёмная?";
const ASKED = "Кто чистит снег у входа?";

let server: EmbeddingServer;
let t: TestApp;
let owner: TestClient;
let twinId: string;
let boris: number;
let queryEmbedding: QueryEmbedding;

const run = <T>(work: (tx: Tx) => Promise<T>) => asTenant(t.services.db, owner.caller, work);

beforeAll(async () => {
  server = await startEmbeddingServer([[CHUNK, LETTER, OPENED, ASKED]]);
  const settings = { baseUrl: server.baseUrl, apiKey: "k", model: "m1", timeoutMs: 60_000, dailyTokens: 1_000_000 };
  t = await testApp({ embedding: settings });
  // The tests call the jobs themselves.
  await t.services.jobs.stop(2000);
  owner = await t.signUp();
  twinId = await buildTwin(owner, { ...HOUSE_TWIN, name: "Двойник" });
  await owner.post("/api/knowledge/upload", { digitalTwinId: twinId, name: "Двор", type: "faq", content: CHUNK });
  const { organizationId, userId } = owner.caller;
  const data = { organizationId, userId, twinId };
  const ids = await run((tx) =>
    storeLetters(tx, data, [
      { name: "Борис", audience: "own", incoming: LETTER, reply: "да, под зелёным, код 4411" },
      { name: "Анна", audience: "all", incoming: OPENED, reply: "по вторникам с девяти" },
    ]),
  );
  boris = ids.Борис!;
  const calm = new AbortController().signal;
  await trainTwin(t.services, data, calm);
  await learnEmbeddings({ ...t.services, pause: async () => {} }, data, calm);
  queryEmbedding = (await t.services.queryEmbedder!.of(ASKED))!;
});
afterAll(async () => {
  await t.close();
  await server.close();
});

const OTHERS: Audience[] = [{ kind: "stranger" }, { kind: "member" }];

test("strangers and members find only what is open, while the owner and the letter's own contact find the letter too", async () => {
  const kindsFor = (audience: Audience) =>
    run(async (tx) => {
      const index = await openTwinIndex(tx, twinId);
      const kinds = ["chunk", "example", "message", "open"] as const;
      const hits = await index.search({ audience, query: ASKED, kinds, limit: 5, queryEmbedding });
      return { kinds: new Set(hits.map(({ kind }) => kind)), text: JSON.stringify(hits) };
    });
  for (const audience of [{ kind: "owner" }, { kind: "contact", contactId: boris }] satisfies Audience[]) {
    const { kinds, text } = await kindsFor(audience);
    expect(kinds).toEqual(new Set(["chunk", "example", "open"]));
    expect(text).toContain("4411");
  }
  for (const audience of OTHERS) {
    const { kinds, text } = await kindsFor(audience);
    expect(kinds).toEqual(new Set(["chunk", "open"]));
    expect(text).not.toContain("4411");
  }
});

test("no statement for strangers and members reads letters, and what the owner's question left in memory is not used", async () => {
  const kept = new Map<string, SignState>();
  const cache: SignCache = {
    signs: (twin, kind) => kept.get(`${twin} ${kind}`),
    keepSigns: (twin, kind, state) => kept.set(`${twin} ${kind}`, state),
  };
  const dialect = new PgDialect();
  const near = (audience: Audience, stamp: string) =>
    run(async (tx) => {
      const statements: string[] = [];
      const execute = (statement: SQL) => {
        statements.push(dialect.sqlToQuery(statement).sql);
        return tx.execute(statement);
      };
      const asked = { twinId, stamp, audience, kinds: embeddedKinds, queryEmbedding, limit: 5, leftOut: new Map() };
      const units = await nearestUnits({ ...tx, execute } as unknown as Tx, cache, asked);
      return { kinds: units.map(({ kind }) => kind), statements: statements.join("\n") };
    });
  const owners = await near({ kind: "owner" }, "1");
  expect(owners.kinds.toSorted()).toEqual(["chunk", "example", "example", "open"]);
  expect(owners.statements).toContain("reply_examples");
  // At the owner's stamp his cached data is still there; at another stamp everything is read again.
  for (const stamp of ["1", "2"])
    for (const audience of OTHERS) {
      const { kinds, statements } = await near(audience, stamp);
      expect(kinds.toSorted()).toEqual(["chunk", "open"]);
      expect(statements).not.toMatch(/reply_examples|messages/);
    }
  expect((await run((tx) => tx.execute(sql`select count(*) as n from embeddings`))).rows).toEqual([{ n: 4 }]);
});
