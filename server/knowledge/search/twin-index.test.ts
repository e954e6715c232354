import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { removeTwin } from "#server/accounts/twins/twins.ts";
import { findFillerReplies, spreadReplies } from "#server/answers/replies/owner-words/filler-replies.ts";
import { type Audience, newestId, type UnitKind } from "#server/knowledge/embeddings/twin-units.ts";
import { outsideTransactions } from "#server/platform/db/connection-guard.ts";
import { asTenant, asTenantOfPlatform, type OpenDatabase, type Tenant, type Tx } from "#server/platform/db/database.ts";
import {
  chats,
  chunks,
  contacts,
  documents,
  indexSegments,
  messages,
  replyExamples,
} from "#server/platform/db/schema/knowledge.ts";
import { openReplies } from "#server/platform/db/schema/public-replies.ts";
import { eachAsTenant } from "#server/platform/db/tenant-statements.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { buildSource, buildTenantWithTwin } from "#server/test/factories/build-rows.ts";
import { buildTwinIndex } from "./build-twin-index.ts";
import { IndexCache } from "./index-cache.ts";
import type { Segment } from "./index-segment.ts";
import type { IndexTail } from "./segments/index-tail.ts";
import { readContents, readShortReplies } from "./twin-hits.ts";
import { openTwinIndex, searchTwin, setIndexCacheBytes } from "./twin-index.ts";

let database: OpenDatabase;
let tenant: Tenant;
let twinId: string;
let documentId: string;
let chatId: number;
let anna: number;
let boris: number;

const owner: Audience = { kind: "owner" };
const contact = (contactId: number): Audience => ({ kind: "contact", contactId });
const within = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => asTenant(database.db, tenant, work);
const find = (
  query: string,
  audience: Audience = owner,
  kinds: readonly UnitKind[] = ["chunk", "example", "message"],
) => within((tx) => searchTwin(tx, { twinId, audience, query, kinds, limit: 5 }));
const build = () => buildTwinIndex(database.db, tenant, twinId);

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

async function newTwin(): Promise<{ tenant: Tenant; twinId: string }> {
  return buildTenantWithTwin(database.db);
}

beforeEach(async () => {
  setIndexCacheBytes(64 * 2 ** 20);
  ({ tenant, twinId } = await newTwin());
  await within(async (tx) => {
    const place = { orgId: tenant.organizationId, twinId };
    const sourceId = await buildSource(tx, place);
    const [chat] = await tx
      .insert(chats)
      .values({ ...place, sourceId, platform: "telegram", externalId: "1", kind: "private", name: "Анна" })
      .returning({ id: chats.id });
    const people = await tx
      .insert(contacts)
      .values(["Анна", "Борис"].map((name) => ({ ...place, platform: "telegram", externalId: name, name })))
      .returning({ id: contacts.id });
    chatId = chat!.id;
    [anna, boris] = people.map((person) => person.id) as [number, number];
  });
  documentId = await addDocument("Условия");
});

function addDocument(name: string): Promise<string> {
  return within(async (tx) => {
    const [document] = await tx
      .insert(documents)
      .values({ orgId: tenant.organizationId, twinId, name, type: "faq", content: name, contentHash: randomUUID() })
      .returning({ id: documents.id });
    return document!.id;
  });
}

let ordinal = 0;
async function addChunks(...texts: (string | { text: string; audience: number; heading?: string })[]) {
  const rows = texts.map((given) => {
    const unit = typeof given === "string" ? { text: given, audience: 0 } : given;
    return { orgId: tenant.organizationId, twinId, documentId, ordinal: ordinal++, ...unit };
  });
  const made = await within((tx) => tx.insert(chunks).values(rows).returning({ id: chunks.id }));
  return made.map((row) => row.id);
}

async function addMessage(text: string, contactId: number | null): Promise<number> {
  const row = {
    orgId: tenant.organizationId,
    twinId,
    chatId,
    contactId,
    fromOwner: contactId === null,
    externalId: randomUUID(),
    text,
    sentAt: new Date("2024-05-01T10:00:00Z"),
  };
  const [made] = await within((tx) => tx.insert(messages).values(row).returning({ id: messages.id }));
  return made!.id;
}

/** @returns the id of the reply's message */
async function addReplyExample(contactId: number, incoming: string, reply: string): Promise<number> {
  const replyMessageId = await addMessage(reply, null);
  const row = { orgId: tenant.organizationId, twinId, chatId, contactId, incoming, reply, replyMessageId };
  await within((tx) => tx.insert(replyExamples).values({ ...row, repliedAt: new Date("2024-05-01T10:00:00Z") }));
  return replyMessageId;
}

/** Increments the revision, as every change of chunks and reply examples does. */
const bump = () =>
  within((tx) => tx.execute(sql`update twins set knowledge_revision = knowledge_revision + 1 where id = ${twinId}`));

const segmentRows = () =>
  within((tx) =>
    tx
      .select({
        id: indexSegments.id,
        kind: indexSegments.kind,
        units: indexSegments.units,
        lastId: indexSegments.lastId,
      })
      .from(indexSegments)
      .orderBy(indexSegments.kind, indexSegments.firstId),
  );

test("a new chunk is found by the next search, before and after the index is built", async () => {
  await addChunks("Доставка по Москве занимает два дня. Курьер звонит за час.");
  expect((await find("сколько идёт доставка?"))[0]).toMatchObject({
    kind: "chunk",
    documentName: "Условия",
    text: "Доставка по Москве занимает два дня. Курьер звонит за час.",
  });
  await build();
  await addChunks("Возврат товара возможен четырнадцать дней.");
  expect((await find("доставка"))[0]).toMatchObject({ text: expect.stringContaining("Доставка") });
  expect((await find("можно ли вернуть товар"))[0]).toMatchObject({ text: expect.stringContaining("Возврат") });
});

test("the index survives a restart", async () => {
  await addChunks("Доставка по Москве занимает два дня.");
  await build();
  setIndexCacheBytes(64 * 2 ** 20);
  expect(await find("доставка")).toHaveLength(1);
});

test("the sentences of a chunk come scored, in the order of the text", async () => {
  await addChunks("Мы работаем с девяти. Доставка занимает два дня. Оплатить можно картой.");
  const [hit] = await find("сколько занимает доставка", owner, ["chunk"]);
  if (hit?.kind !== "chunk") throw new Error("no chunk");
  expect(hit.sentences.map((sentence) => sentence.text)).toEqual([
    "Мы работаем с девяти.",
    "Доставка занимает два дня.",
    "Оплатить можно картой.",
  ]);
  const best = hit.sentences.reduce((one, other) => (other.score > one.score ? other : one));
  expect(best.text).toBe("Доставка занимает два дня.");
});

test("an answerable question gets more confidence than an unrelated one", async () => {
  await addChunks(
    "Доставка по Москве занимает два дня, курьер звонит за час.",
    "Гарантия на технику составляет два года с момента покупки.",
    "Оплатить заказ можно картой или наличными.",
  );
  const [known] = await find("какая гарантия на технику?");
  const [foreign] = await find("кто выиграл вчера футбольный матч на технике?");
  expect(known!.confidence).toBeGreaterThan(0.5);
  expect(foreign!.confidence).toBeLessThan(0.5);
});

test("a contact finds what is open to all and their own; the owner finds everything", async () => {
  await addChunks(
    { text: "Скидка для всех пять процентов", audience: 0 },
    { text: "Скидка Анны десять процентов", audience: anna },
    { text: "Скидка Бориса двадцать процентов", audience: boris },
    { text: "Скидка себестоимость тайна", audience: -1 },
  );
  for (const built of [false, true]) {
    if (built) await build();
    const texts = async (audience: Audience) => (await find("какая скидка", audience, ["chunk"])).length;
    expect(await texts(owner)).toBe(4);
    expect(await texts(contact(anna))).toBe(2);
    const seen = await find("скидка Бориса себестоимость", contact(anna), ["chunk"]);
    expect(JSON.stringify(seen)).not.toMatch(/Бориса|себестоимость/);
  }
});

const stranger = { kind: "stranger" } as const;
const past = ["example", "open"] as const;

test("a reply is found by its own contact and the owner, and by others only while the owner has opened it", async () => {
  const question = "Сколько стоит консультация?";
  const asked = "сколько стоит консультация";
  const replyMessageId = await addReplyExample(anna, question, "Первая бесплатно");
  await addReplyExample(anna, "Сколько стоит консультация для меня?", "Тебе тысяча");
  expect(await find(asked, contact(anna), past)).toHaveLength(2);
  for (const audience of [contact(boris), stranger]) expect(await find(asked, audience, past)).toEqual([]);
  const opened = { orgId: tenant.organizationId, twinId, origin: "opened", contactId: anna, replyMessageId } as const;
  await within((tx) => tx.insert(openReplies).values({ ...opened, question, reply: "Первая бесплатно" }));
  for (const audience of [contact(boris), stranger])
    expect(await find(asked, audience, past)).toMatchObject([{ kind: "open", reply: "Первая бесплатно", question }]);
  await within((tx) => tx.update(openReplies).set({ state: "closed", changedAt: new Date() }));
  for (const audience of [contact(boris), stranger]) expect(await find(asked, audience, past)).toEqual([]);
});

test("what others may not see influences neither their scores nor a confidence nor the rarity of a word", async () => {
  await addChunks("Консультация длится один час", "Записаться можно у администратора");
  await addReplyExample(boris, "Сколько длится консультация?", "Час");
  const seen = async () => {
    const hits = await Promise.all(
      [contact(boris), stranger].map((audience) => find("сколько длится консультация у Арнольда", audience)),
    );
    const rarity = await within(async (tx) => (await openTwinIndex(tx, twinId)).rarity(stranger));
    return { hits, rarity: ["консультац", "арнольд"].map(rarity) };
  };
  const before = await seen();
  for (let pair = 0; pair < 20; pair++)
    await addReplyExample(anna, "Консультация у Арнольда, сколько длится", "Арнольд умер");
  for (const stored of [false, true]) {
    if (stored) await build();
    expect(await seen()).toEqual(before);
  }
});

test("no statement on letters is made for those who may see none", async () => {
  const found = [{ kind: "example", id: 1, score: 1, match: { stems: 1, grams: 1, coverage: 1 } }];
  for (const kind of ["stranger", "member"] as const) {
    await expect(within((tx) => readContents(tx, twinId, { kind }, found))).rejects.toThrow(RangeError);
    await expect(within((tx) => readShortReplies(tx, twinId, { kind }, [1]))).rejects.toThrow(RangeError);
  }
});

test("a remark about which nothing is known gets the owner's own words to this contact, and to no other", async () => {
  for (const reply of ["ничего себе)", "а что там?", "какой ещё саксофон?", "скинул"])
    await addReplyExample(anna, "я дома", reply);
  await addReplyExample(anna, "я дома", "умора");
  await addReplyExample(boris, "Мы получили", "Вот как!");
  const said = async (audience: Audience, message: string) => {
    const found = await within(async (tx) => {
      const index = await openTwinIndex(tx, twinId);
      return findFillerReplies(index, await spreadReplies(index, audience, "1"), { audience, message, history: [] });
    });
    return found.map(({ reply, sameContact }) => `${reply} ${sameContact}`).sort();
  };
  const hers = ["а что там? true", "ничего себе) true", "умора true"];
  expect(await said(contact(anna), "иду мимо парка")).toEqual(hers);
  expect(await said(contact(anna), "слышу саксофон")).toEqual([...hers, "какой ещё саксофон? true"].sort());
  expect(await said(contact(boris), "Мы уже в пути")).toEqual(["Вот как! true"]);
  expect(await said({ kind: "stranger" }, "Мы уже в пути")).toEqual([]);
});

test("a message is found by the owner and by the contact who wrote it", async () => {
  await addMessage("Пароль от домофона сорок два", anna);
  await addMessage("Пароль от домофона я сменил", null);
  expect(await find("пароль домофона", owner, ["message"])).toHaveLength(2);
  expect(await find("пароль домофона", contact(anna), ["message"])).toMatchObject([
    { contactId: anna, chatName: "Анна" },
  ]);
  expect(await find("пароль домофона", contact(boris), ["message"])).toEqual([]);
});

test("an audience is recognised as a contact only by its id", async () => {
  for (const contactId of [0, -1, Number.NaN])
    await expect(find("что", contact(contactId))).rejects.toThrow(RangeError);
});

test("deleted rows are not found, and those after them are, whether or not the deletion was announced", async () => {
  const ids = await addChunks(...Array.from({ length: 40 }, (_, n) => `Доставка курьером, вариант ${n}`));
  await build();
  expect(await find("доставка курьером")).toHaveLength(5);
  for (const announced of [false, true]) {
    const gone = ids.splice(0, 15);
    await within((tx) => tx.execute(sql`delete from chunks where id = any(${sql.param(gone)}::bigint[])`));
    if (announced) await bump();
    const left = await find("доставка курьером");
    expect(left).toHaveLength(5);
    expect(left.every((hit) => ids.includes(hit.id))).toBe(true);
  }
  await within((tx) => tx.execute(sql`delete from chunks where twin_id = ${twinId}`));
  expect(await find("доставка курьером")).toEqual([]);
});

test("a row that is no longer open is hidden from contacts at once, and still found by the owner", async () => {
  const [secret] = await addChunks("Адрес склада Лесная пять", "Адрес магазина Садовая один");
  await build();
  expect(await find("адрес", contact(anna))).toHaveLength(2);
  await within((tx) => tx.execute(sql`update chunks set audience = -1 where id = ${secret}`));
  expect(await find("адрес", contact(anna))).toHaveLength(1);
  expect(await find("адрес", owner)).toHaveLength(2);
});

test("another organisation does not see the twin", async () => {
  await addChunks("Доставка");
  const stranger = await newTwin();
  await find("доставка");
  await expect(asTenant(database.db, stranger.tenant, (tx) => openTwinIndex(tx, twinId))).rejects.toMatchObject({
    status: 404,
  });
});

test("rows of a rolled back transaction are forgotten", async () => {
  await addChunks("Доставка курьером");
  await expect(
    within(async (tx) => {
      const row = { orgId: tenant.organizationId, twinId, documentId, ordinal: ordinal++, text: "Доставка самолётом" };
      await tx.insert(chunks).values(row);
      expect(
        await searchTwin(tx, { twinId, audience: owner, query: "самолётом", kinds: ["chunk"], limit: 5 }),
      ).toHaveLength(1);
      throw new Error("rolled back");
    }),
  ).rejects.toThrow("rolled back");
  expect(await find("самолётом", owner, ["chunk"])).toEqual([]);
});

test("a row committed late, with a lower id, is found", async () => {
  const [first] = await addChunks("Доставка курьером", "Доставка почтой");
  const { rows } = await within((tx) => tx.execute(sql`select * from chunks where id = ${first}`));
  await within((tx) => tx.execute(sql`delete from chunks where id = ${first}`));
  await build();
  await within((tx) =>
    tx.execute(sql`
      insert into chunks (id, org_id, twin_id, document_id, ordinal, text) overriding system value
      values (${first}, ${tenant.organizationId}, ${twinId}, ${documentId}, ${rows[0]!.ordinal}, 'Доставка вертолётом')`),
  );
  await build();
  expect(await find("вертолётом")).toHaveLength(1);
});

test("building again without changes does nothing, and a change rebuilds only what it concerns", async () => {
  await addChunks("Доставка", "Оплата", "Возврат", "Гарантия", "Адрес");
  await addMessage("Привет", anna);
  const shares: number[] = [];
  expect(await buildTwinIndex(database.db, tenant, twinId, { onProgress: (share) => void shares.push(share) })).toBe(6);
  expect(shares.at(-1)).toBe(1);
  const first = await segmentRows();
  expect(first.map(({ kind, units }) => [kind, units])).toEqual([
    ["chunk", 5],
    ["message", 1],
  ]);
  expect(await build()).toBe(0);
  expect(await segmentRows()).toEqual(first);

  await addChunks("Скидка");
  expect(await build()).toBe(1);
  await addChunks("Обмен");
  await build();
  expect((await segmentRows()).map(({ kind, units }) => [kind, units])).toEqual([
    ["chunk", 5],
    ["chunk", 2],
    ["message", 1],
  ]);
  expect(await find("скидка обмен адрес")).toHaveLength(3);
});

test("an index whose rows are all gone disappears", async () => {
  await addChunks("Доставка", "Оплата");
  await build();
  await within((tx) => tx.execute(sql`delete from chunks where twin_id = ${twinId}`));
  await build();
  expect(await segmentRows()).toEqual([]);
});

test("a damaged segment does not break the search, and the next build repairs it", async () => {
  await addChunks("Доставка", "Оплата");
  await build();
  await within((tx) =>
    tx.execute(
      sql`update index_segments set bytes = set_byte(bytes, 200, 255 - get_byte(bytes, 200)) where twin_id = ${twinId}`,
    ),
  );
  setIndexCacheBytes(64 * 2 ** 20);
  await find("доставка");
  await build();
  expect(await find("доставка")).toHaveLength(1);
});

test("a segment of another version is rebuilt", async () => {
  await addChunks("Доставка", "Оплата");
  await build();
  await within((tx) =>
    tx.execute(sql`update index_segments set bytes = set_byte(bytes, 4, 99) where twin_id = ${twinId}`),
  );
  setIndexCacheBytes(64 * 2 ** 20);
  expect(await build()).toBe(2);
  expect(await find("доставка")).toHaveLength(1);
});

test("a cache too small for anything still answers", async () => {
  setIndexCacheBytes(100);
  await addChunks("Доставка курьером", "Оплата картой");
  await build();
  await addChunks("Доставка почтой");
  expect(await find("доставка")).toHaveLength(2);
});

test("a cached segment belongs to its twin: another database may number its segments alike", () => {
  const cache = new IndexCache(1000);
  cache.keepSegment("one", 1, {} as Segment, 10);
  expect(cache.segment("one", 1)).toBeDefined();
  expect(cache.segment("another", 1)).toBeUndefined();
});

test("deleting a twin drops what the cache holds of it, and leaves other twins", () => {
  const cache = new IndexCache(1000);
  const state = { stamp: "1", segments: [{ id: 1, firstId: 1, lastId: 2, units: 2 }], tail: { size: 1 } as IndexTail };
  for (const id of ["one", "other"]) {
    cache.keepSegment(id, 1, {} as Segment, 10);
    cache.keepState(id, "chunk", { ...state, dead: new Set() });
  }
  cache.forget("one");
  expect([cache.segment("one", 1), cache.state("one", "chunk")]).toEqual([undefined, undefined]);
  expect([cache.segment("other", 1), cache.state("other", "chunk")]).not.toContain(undefined);
});

test("the process that deletes a twin forgets its index", async () => {
  await addChunks("Доставка курьером");
  await build();
  await find("доставка");
  const forget = vi.spyOn(IndexCache.prototype, "forget");
  onTestFinished(() => forget.mockRestore());
  await removeTwin(
    { db: database.db, files: null as never, log: null as never },
    { ...tenant, role: "org_admin" },
    twinId,
  );
  expect(forget.mock.calls).toEqual([[twinId]]);
});

test("many simultaneous first questions get the same answer", async () => {
  await addChunks("Доставка курьером", "Оплата картой");
  await build();
  setIndexCacheBytes(64 * 2 ** 20);
  const answers = await Promise.all(Array.from({ length: 8 }, () => find("доставка")));
  expect(answers.every((hits) => hits.length === 1)).toBe(true);
});

test("a transaction that holds the connection does not wait for a loading that needs that connection", async () => {
  await addChunks("Доставка по Москве стоит 350 рублей.", "Возврат занимает десять дней.");
  await build();
  await addChunks("Самовывоз со склада бесплатный.");
  const [query, kinds] = ["Сколько стоит доставка?", ["chunk"] as const];
  const each = await openTwinIndex(eachAsTenant(database.db, tenant), twinId);
  let other: Promise<unknown[]> | undefined;
  const mine = await within(async (tx) => {
    // Its loading is running and, on the embedded database, waits for the connection that this transaction holds.
    other = outsideTransactions(() => each.search({ audience: owner, query, kinds, limit: 5 }));
    return searchTwin(tx, { twinId, audience: owner, query, kinds, limit: 5 });
  });
  expect(mine.length).toBeGreaterThan(0);
  expect(await other).toEqual(mine);
  expect(await find("самовывоз", owner, ["chunk"])).toHaveLength(1);
});

test("a twin's new rows are found by its own index, without reading what other twins have stored since", async () => {
  const { organizationId } = tenant;
  const other = await newTwin();
  await within((tx) =>
    tx.execute(sql`
      insert into chunks (org_id, twin_id, document_id, ordinal, text)
      select ${organizationId}, ${twinId}, ${documentId}, 10000 + n, 'Старое' from generate_series(1, 2000) n`),
  );
  await asTenant(database.db, other.tenant, async (tx) => {
    const [document] = await tx
      .insert(documents)
      .values({
        orgId: other.tenant.organizationId,
        twinId: other.twinId,
        name: "Д",
        type: "faq",
        content: "",
        contentHash: "",
      })
      .returning({ id: documents.id });
    await tx.execute(sql`
      insert into chunks (org_id, twin_id, document_id, ordinal, text)
      select ${other.tenant.organizationId}, ${other.twinId}, ${document!.id}, n, 'Новое' from generate_series(1, 2000) n`);
  });
  await database.db.execute(sql`analyze chunks`);
  // Uses the same role and policies on a platform connection, because a request may not run EXPLAIN.
  const { rows } = await asTenantOfPlatform(database.db, tenant, (tx) =>
    tx.execute(sql`explain select ${newestId("chunk", sql`${twinId}::uuid`)}`),
  );
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toContain("chunks_twin");
  expect(plan).not.toContain("chunks_pkey");
});
