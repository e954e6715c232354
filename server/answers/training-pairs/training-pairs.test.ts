import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureChat, ensureContacts, ensureSource, storeMessages } from "#server/knowledge/messages/messages.ts";
import { pairChat } from "#server/knowledge/messages/pair-chats.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { auditLog } from "#server/platform/db/schema/accounts.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { readZip } from "#server/test/files/read-zip.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import type { Exchange } from "./exchanges.ts";
import { KnownPeople, mentionsSecret, redactForTraining } from "./redact-exchange.ts";
import { noLines, trainingLines } from "./training-lines.ts";

interface Line {
  messages: { role: string; content: string }[];
}

const people = new KnownPeople(["Гульнара Ахметшина", "Оля из зала", "Роза", "Ян"], ["@gul_nara88", "olya.fit"]);
const masked = (text: string) => redactForTraining(text, people).text;

describe("what is taken out of a text for training", () => {
  test.each([
    ["Гульнара, привет", "[имя], привет"],
    ["спроси у гульнары и у ахметшиной", "спроси у [имя] и у [имя]"],
    ["а роза приедет?", "а [имя] приедет?"],
    ["оля из зала сказала", "[имя] из [имя] сказала"],
    ["Серёжа и саша ждут", "[имя] и [имя] ждут"],
    ["мой номер +7 912 345-67-89, звони", "мой номер [телефон], звони"],
    ["пиши на anna@mail.example", "пиши на [почта]"],
    ["приезжай на ул. Ленина, д. 5", "приезжай на [адрес]"],
    ["кв. 17, домофон 4512", "[адрес], [адрес]"],
    ["карта 4111 1111 1111 1111", "карта [номер]"],
    ["ключ sk-proj-abcdefghijklmnop1234", "ключ [скрыто]"],
    ["вот https://docs.example/d/s3cret?key=1 глянь", "вот [ссылка] глянь"],
    ["мой ник @vasya_1990 или gul_nara88", "мой ник [ник] или [ник]"],
    ["код 4821, заказ № 77120034", "код [номер], заказ № [номер]"],
    ["ок, завтра в 18:30 за 1500 рублей", "ок, завтра в 18:30 за 1500 рублей"],
    ["я из офиса, ли, то есть или", "я из офиса, ли, то есть или"],
  ])("%j becomes %j", (text, expected) => {
    expect(masked(text)).toBe(expected);
  });

  test("removed data is counted by kind, and unchanged text reports nothing", () => {
    expect(redactForTraining("ну ок)", people)).toEqual({ text: "ну ок)", personal: false });
    expect(redactForTraining("ок, Гульнара", people).personal).toBe(true);
    expect(mentionsSecret("Пароль от вайфая 12345")).toBe(true);
    expect(mentionsSecret("ну ты паровоз")).toBe(false);
  });
});

async function linesOf(exchanges: readonly Partial<Exchange>[]) {
  const counts = noLines();
  async function* pages() {
    yield exchanges.map(
      (one, at): Exchange => ({ chatId: 1, session: 1, incoming: `вопрос ${at}`, reply: `да ${at}`, ...one }),
    );
  }
  let text = "";
  for await (const line of trainingLines(pages(), people, counts)) text += line;
  const lines = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
  return { counts, talks: lines.map(({ messages }) => messages.map(({ role, content }) => `${role[0]}:${content}`)) };
}

describe("a line", () => {
  test("is a conversation of one session that ends with the owner's turn and never spans two sessions or chats", async () => {
    const { talks } = await linesOf([{}, {}, { session: 2 }, { session: 2, chatId: 2 }]);
    expect(talks.map((turns) => turns.slice(1))).toEqual([
      ["u:вопрос 0", "a:да 0", "u:вопрос 1", "a:да 1"],
      ["u:вопрос 2", "a:да 2"],
      ["u:вопрос 3", "a:да 3"],
    ]);
    expect(talks.every(([system]) => system!.startsWith("s:"))).toBe(true);
  });

  test("holds as many exchanges as fit, masks what was asked, and omits replies that would teach the masks", async () => {
    const { talks, counts } = await linesOf([
      { incoming: "Гульнара просила позвонить" },
      { reply: "передай привет Гульнаре" },
      { incoming: "какой пароль?", reply: "такой же" },
      ...Array.from({ length: 9 }, () => ({})),
      ...Array.from({ length: 5 }, () => ({ incoming: "ку", reply: "ку" })),
    ]);
    expect(talks[0]!.slice(1)).toEqual(["u:[имя] просила позвонить", "a:да 0"]);
    expect(talks.flat().join("\n")).not.toMatch(/Гульнар|пароль/);
    expect(talks.every((turns) => turns.length <= 9)).toBe(true);
    expect(counts).toMatchObject({ personal: 2, repeated: 2, exchanges: 13 });
  });
});

describe("the zip", () => {
  let t: TestApp;
  let owner: TestClient;
  let twinId: string;
  beforeAll(async () => {
    t = await testApp();
    await t.services.jobs.stop(2000);
    owner = await t.signUp();
    twinId = await buildTwin(owner);
  });
  afterAll(() => t.close());

  const DAY_MS = 24 * 3600_000;
  /** Stores this many days of chats with each person, three exchanges a day, an hour apart. */
  async function talksWith(names: readonly string[], days: number): Promise<void> {
    const tenant = owner.caller;
    await asTenant(t.services.db, tenant, async (tx) => {
      const kind = { kind: "export", platform: "telegram", externalId: "1", name: "Выгрузка" } as const;
      const place = { twinId, sourceId: await ensureSource(tx, tenant, twinId, kind), platform: "telegram" };
      for (const [person, name] of names.entries()) {
        const who = { externalId: name, name };
        const contactId = (await ensureContacts(tx, tenant, place, [who])).get(name)!;
        const chatId = await ensureChat(tx, tenant, place, { ...who, kind: "private" });
        const lines = Array.from({ length: days * 3 }, (_, at) => {
          const sentAt = Date.UTC(2025, 0, 1, 9, person) + Math.floor(at / 3) * DAY_MS + (at % 3) * 3600_000;
          const line = { chatId, replyTo: null, kind: "text" as const };
          return [
            {
              ...line,
              contactId,
              fromOwner: false,
              externalId: `${at}?`,
              text: `${name}, как дела ${person} ${at}?`,
              sentAt: new Date(sentAt),
            },
            {
              ...line,
              contactId: null,
              fromOwner: true,
              externalId: `${at}!`,
              text: `норм ${person} ${at}`,
              sentAt: new Date(sentAt + 30_000),
            },
          ];
        }).flat();
        await storeMessages(tx, tenant, place, lines);
        await pairChat(tx, tenant, { twinId, chatId });
      }
    });
  }

  const download = () => owner.inject({ method: "GET", url: `/api/digital-twins/${twinId}/training-pairs` });
  const read = async (): Promise<Map<string, Buffer>> => readZip((await download()).rawPayload);
  const talksIn = (files: Map<string, Buffer>, name: string) =>
    files
      .get(name)!
      .toString()
      .split("\n")
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as Line).messages);

  test("is refused with an explanation while there are no pairs", async () => {
    const refused = await download();
    expect(refused.statusCode).toBe(409);
    expect(refused.json().message).toMatch(/^Пар пока нет/);
  });

  test("holds separate sessions for training and testing, no names, and how they are used", async () => {
    await talksWith(["Гульнара Ахметшина", "Роза", "Пётр Шнитке"], 20);
    const answer = await download();
    expect(answer.headers["content-disposition"]).toMatch(
      /^attachment; filename="training-pairs-\d{4}-\d\d-\d\d\.zip"$/,
    );
    const files = await readZip(answer.rawPayload);
    const [train, test] = [talksIn(files, "train.jsonl"), talksIn(files, "test.jsonl")];
    const replies = (talks: Line["messages"][]) =>
      talks
        .flat()
        .filter(({ role }) => role === "assistant")
        .map(({ content }) => content);
    expect(replies(train).length + replies(test).length).toBe(180);
    expect(replies(test).length).toBeGreaterThanOrEqual(18);
    expect(replies(train).filter((reply) => replies(test).includes(reply))).toEqual([]);
    // Each day's three exchanges are one session, which stays whole in one of the files; the newest are for testing.
    const dayOf = (reply: string) => `${reply.split(" ")[1]}:${Math.floor(Number(reply.split(" ")[2]) / 3)}`;
    const days = (talks: Line["messages"][]) => new Set(replies(talks).map(dayOf));
    expect([...days(train)].filter((day) => days(test).has(day))).toEqual([]);
    const numbers = (talks: Line["messages"][]) => [...days(talks)].map((day) => Number(day.split(":")[1]));
    expect(Math.max(...numbers(train))).toBeLessThanOrEqual(Math.min(...numbers(test)));
    expect(train.every((turns) => turns.at(-1)!.role === "assistant" && turns[0]!.role === "system")).toBe(true);
    const all = [...files]
      .filter(([name]) => name.endsWith("l"))
      .map(([, bytes]) => bytes.toString())
      .join("\n");
    expect(all).not.toMatch(/гульнар|ахметш|роза|пётр|шнитке/i);
    expect(all).toContain("[имя], как дела");
    expect([...files.keys()]).toEqual(["train.jsonl", "test.jsonl", "README.txt"]);
    const guide = files.get("README.txt")!.toString();
    expect(guide).toMatch(/^Пары для обучения модели/);
    expect(guide).toContain(`${replies(train).length} обменов репликами, строк ${train.length}.`);
    expect(guide).toContain("Как этим пользоваться:");
    const [entry] = await t.services.db.select().from(auditLog).where(sql`action = 'voice-data-downloaded'`);
    expect(entry).toMatchObject({ userId: owner.caller.userId, subject: twinId });
  });

  test("holds nothing of contacts who have refused an AI, nor of what the twin does not learn from", async () => {
    await asTenant(t.services.db, owner.caller, async (tx) => {
      await tx.update(contacts).set({ consent: "refused" }).where(sql`name = 'Роза'`);
      await tx.execute(sql`update messages set is_training_data = false where text like 'норм 2 %'`);
    });
    const all = [...(await read()).values()].map(String).join("\n");
    expect(all).toContain("норм 0 5");
    expect(all).not.toMatch(/норм [12] /);
  });
});
