import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type KnowledgeMessage, NEXT_PAGE_HEADER } from "#contract/knowledge/knowledge-base.ts";
import { findMessages } from "#server/knowledge/messages/find-messages.ts";
import {
  ensureChat,
  ensureContacts,
  ensureSource,
  type HistorySource,
  storeMessages,
} from "#server/knowledge/messages/messages.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { sources } from "#server/platform/db/schema/knowledge.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const minute = (n: number) => new Date(Date.UTC(2025, 0, 1, 0, n));

/** Stores a source of `texts`, a minute apart starting at `from`, alternating with the owner's. @returns the source's id */
function bring(
  client: TestClient,
  twinId: string,
  texts: string[],
  { from = 0, ...changes }: Partial<HistorySource> & { from?: number } = {},
): Promise<string> {
  const source = {
    kind: "export" as const,
    platform: "telegram",
    externalId: randomUUID(),
    name: "Выгрузка",
    ...changes,
  };
  return asTenant(t.services.db, client.caller, async (tx) => {
    const sourceId = await ensureSource(tx, client.caller, twinId, source);
    const place = { twinId, sourceId, platform: source.platform };
    const chatId = await ensureChat(tx, client.caller, place, {
      externalId: randomUUID(),
      kind: "private",
      name: "Олег",
    });
    const people = await ensureContacts(tx, client.caller, place, [{ externalId: "oleg", name: "Олег Петров" }]);
    const batch = texts.map((text, n) => ({
      chatId,
      contactId: n % 2 === 0 ? people.get("oleg")! : null,
      fromOwner: n % 2 === 1,
      externalId: String(n),
      replyTo: null,
      kind: text === "" ? ("media" as const) : ("text" as const),
      text,
      sentAt: minute(from + n),
    }));
    await storeMessages(tx, client.caller, place, batch);
    return sourceId;
  });
}

const list = async (client: TestClient, query = ""): Promise<KnowledgeMessage[]> => {
  const answer = await client.get(encodeURI(`/api/knowledge-base/messages${query}`));
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const texts = async (client: TestClient, query = "") => (await list(client, query)).map(({ content }) => content);

describe("figures and sources", () => {
  test("count the messages by platform, and name the latest import", async () => {
    const ann = await t.signUp();
    expect((await ann.get("/api/knowledge-base/stats")).json()).toEqual({
      totalMessages: 0,
      telegramMessages: 0,
      emailMessages: 0,
      whatsappMessages: 0,
      lastUpdate: null,
    });
    expect((await ann.get("/api/knowledge-base/sources")).json()).toEqual([]);

    const twinId = await buildTwin(ann);
    await bring(ann, twinId, ["раз", "два", "три"]);
    await bring(ann, twinId, ["четыре"], { platform: "whatsapp" });
    await bring(ann, twinId, ["пять", "шесть"], { platform: "email" });
    const latest = await bring(ann, twinId, ["семь"], { platform: "phone", kind: "paste", name: "Звонок" });
    const stats = (await ann.get("/api/knowledge-base/stats")).json();
    expect(stats).toMatchObject({ totalMessages: 7, telegramMessages: 3, emailMessages: 2, whatsappMessages: 1 });
    const found = (await ann.get("/api/knowledge-base/sources")).json();
    expect(found).toHaveLength(4);
    expect(found[0]).toEqual({
      id: latest,
      reimport: expect.objectContaining({ running: false }),
      name: "Звонок",
      platform: "phone",
      kind: "paste",
      status: "active",
      digitalTwinId: twinId,
      digitalTwinName: "Анна",
      messagesCount: 1,
      lastImport: stats.lastUpdate,
    });
  });

  test("are visible to the twin's owner only: a colleague sees neither messages nor their number", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const sourceId = await bring(ann, twinId, ["Строго между нами"]);
    for (const role of ["org_admin", "user", "viewer"] as const) {
      const colleague = await t.signUp({ role, organizationId: ann.caller.organizationId });
      expect((await colleague.get("/api/knowledge-base/stats")).json()).toMatchObject({
        totalMessages: 0,
        lastUpdate: null,
      });
      expect((await colleague.get("/api/knowledge-base/sources")).json()).toEqual([]);
      expect(await list(colleague)).toEqual([]);
      expect(await list(colleague, `?twinId=${twinId}&search=между`)).toEqual([]);
      const refused = await colleague.post(`/api/integrations/${sourceId}/reimport`);
      expect(refused.statusCode).toBe(role === "viewer" ? 403 : 404);
    }
    const stranger = await t.signUp();
    expect(await list(stranger)).toEqual([]);
    expect((await stranger.get(`/api/knowledge-base/messages?twinId=${twinId}`)).statusCode).toBe(404);
    expect((await stranger.post(`/api/integrations/${sourceId}/reimport`)).statusCode).toBe(404);
  });
});

describe("messages", () => {
  test("come newest first with who wrote them, where, and whether the twin learns from them", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    await bring(ann, twinId, ["Привет", "Здравствуйте", ""]);
    const found = await list(ann);
    expect(found.map(({ content, isTrainingData }) => [content, isTrainingData])).toEqual([
      ["", false],
      ["Здравствуйте", true],
      ["Привет", true],
    ]);
    expect(found[1]).toEqual({
      id: expect.stringMatching(/^\d+$/),
      platform: "telegram",
      content: "Здравствуйте",
      timestamp: minute(1).toISOString(),
      isTrainingData: true,
      fromOwner: true,
      author: null,
      chatName: "Олег",
      digitalTwinId: twinId,
      digitalTwinName: "Анна",
    });
    expect(found[2]).toMatchObject({ fromOwner: false, author: "Олег Петров" });
  });

  test("are found by all words of the search in any order, case and with «ё» or «е», and patterns have no effect", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    await bring(ann, twinId, ["Всё ещё ЖДУ Посылку", "Посылку жду", "100% скидка (не шутка)", "100 рублей", "a\\b"]);
    expect(await texts(ann, "?search=жду")).toEqual(["Посылку жду", "Всё ещё ЖДУ Посылку"]);
    expect(await texts(ann, "?search=ПОСЫЛ все")).toEqual(["Всё ещё ЖДУ Посылку"]);
    expect(await texts(ann, "?search=%")).toEqual(["100% скидка (не шутка)"]);
    expect(await texts(ann, "?search=(не")).toEqual(["100% скидка (не шутка)"]);
    expect(await texts(ann, "?search=.*")).toEqual([]);
    expect(await texts(ann, "?search=***:жду")).toEqual([]);
    expect(await texts(ann, "?search=a\\b")).toEqual(["a\\b"]);
    expect(await texts(ann, "?search=  ")).toHaveLength(5);
  });

  test("can be filtered by platform and twin", async () => {
    const ann = await t.signUp();
    const [one, two] = [await buildTwin(ann, { name: "Первый" }), await buildTwin(ann, { name: "Второй" })];
    await bring(ann, one, ["а", "б"]);
    await bring(ann, two, ["в"], { platform: "email", from: 10 });
    await bring(ann, two, ["г"], { platform: "whatsapp", from: 20 });
    expect(await texts(ann)).toEqual(["г", "в", "б", "а"]);
    expect(await texts(ann, "?platform=email")).toEqual(["в"]);
    expect(await texts(ann, `?twinId=${one}`)).toEqual(["б", "а"]);
    expect(await texts(ann, `?twinId=${two}&platform=whatsapp`)).toEqual(["г"]);
    expect(await texts(ann, `?twinId=${one}&platform=whatsapp`)).toEqual([]);
    for (const wrong of ["platform=icq", "twinId=1", "before=yesterday", "limit=0", "limit=100000", "limit=x"]) {
      expect((await ann.get(`/api/knowledge-base/messages?${wrong}`)).statusCode, wrong).toBe(400);
    }
  });

  test("are paged so that each comes once, even when two have the same time", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const all = Array.from({ length: 25 }, (_, n) => `сообщение ${n}`);
    await bring(ann, twinId, all);
    await bring(
      ann,
      twinId,
      all.map((text) => `${text} снова`),
    );
    const seen: string[] = [];
    let before = "";
    for (let page = 1; ; page++) {
      expect(page).toBeLessThan(10);
      const answer = await ann.get(`/api/knowledge-base/messages?limit=7${before}`);
      seen.push(...(answer.json() as KnowledgeMessage[]).map(({ content }) => content));
      const next = answer.headers[NEXT_PAGE_HEADER];
      if (next === undefined) break;
      before = `&before=${next}`;
    }
    expect(seen).toHaveLength(50);
    expect(new Set(seen).size).toBe(50);
    expect(seen[0]).toMatch(/^сообщение 24/);
  });

  test("a search through a long history resumes where its time ran out and misses nothing", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    await bring(
      ann,
      twinId,
      Array.from({ length: 5000 }, (_, n) => (n === 10 || n === 2990 ? "иголка" : `сено ${n}`)),
    );
    const { db } = t.services;
    const short = await findMessages(db, ann.caller, { search: "иголка" }, { budgetMs: 0 });
    expect(short).toEqual({ messages: [], next: expect.any(String) });
    const rest = await findMessages(db, ann.caller, { search: "иголка", before: short.next! });
    expect(rest.messages).toHaveLength(2);
    expect(rest.next).toBeNull();
    expect((await findMessages(db, ann.caller, { search: "иголка" })).messages).toHaveLength(2);
    const left = await findMessages(db, ann.caller, { search: "иголка" }, { signal: AbortSignal.abort() });
    expect(left.next).not.toBeNull();
  });
});

describe("importing a source again", () => {
  test("is refused with advice on what to do instead", async () => {
    const ann = await t.signUp();
    const twinId = await buildTwin(ann);
    const refusal = async (id: string) => {
      const answer = await ann.post(`/api/integrations/${id}/reimport`);
      return [answer.statusCode, answer.json().code];
    };
    expect(await refusal(await bring(ann, twinId, ["а"]))).toEqual([409, "source_is_file"]);
    expect(await refusal(await bring(ann, twinId, ["а"], { kind: "paste" }))).toEqual([409, "source_is_paste"]);
    const account = await bring(ann, twinId, ["а"], { kind: "integration" });
    expect(await refusal(account)).toEqual([503, "reimport_unavailable"]);
    await asTenant(t.services.db, ann.caller, (tx) =>
      tx.update(sources).set({ status: "inactive" }).where(eq(sources.id, account)),
    );
    expect(await refusal(account)).toEqual([409, "source_inactive"]);
    // The list already shows it.
    const listed = (await ann.get("/api/knowledge-base/sources")).json();
    const obstacles = Object.fromEntries(
      listed.map(({ kind, reimport }: { kind: string; reimport: object }) => [kind, reimport]),
    );
    const nothing = { running: false, failure: null };
    expect(obstacles).toEqual({
      export: { obstacle: "Файл сам не меняется: загрузите новую выгрузку", ...nothing },
      paste: { obstacle: "Вставленная переписка сама не меняется: дополните её", ...nothing },
      integration: { obstacle: "Источник неактивен", ...nothing },
    });
    expect(await refusal(randomUUID())).toEqual([404, "source_not_found"]);
  });
});
