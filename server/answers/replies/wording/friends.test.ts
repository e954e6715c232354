import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Audience } from "#server/knowledge/embeddings/twin-units.ts";
import { buildTwinIndex } from "#server/knowledge/search/build-twin-index.ts";
import { asTenant, type OpenDatabase, type Tenant } from "#server/platform/db/database.ts";
import { chats, contacts, messages, replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { buildSource, buildTenant, buildTwinRow } from "#server/test/factories/build-rows.ts";
import { type OpenAiServer, startOpenAiServer } from "#server/test/servers/openai-server.ts";
import { embeddedGenerator } from "../embedded-generator.ts";
import type { Generator } from "../generator.ts";
import { llmGenerator } from "../llm-generator.ts";
import { planReplyAlone } from "../plan-reply.ts";

let database: OpenDatabase;
let model: OpenAiServer;
let tenant: Tenant;
let twinId: string;
const people: Record<string, number> = {};

const small = ["ну что ты", "ты чего", "и тебе", "ты даёшь", "сама ты"];
/** Past messages with two friends and a client. */
const TALKS: Record<string, [asked: string, replied: string][]> = {
  Аня: [
    ["мне грустно что-то", "сочувствую тебе"],
    ["я так устала", "держись там"],
    ["пойдём на каток?", "давай, в семь у входа"],
    ["поехали в Суздаль", "надо подумать"],
    ["ты где?", "я на даче у мамы"],
    ["ура, сдала!", "умничка моя"],
    ...small.map((said, at): [string, string] => [`смотри ${at}`, said]),
  ],
  Боря: [
    ["мне плохо", "обнимаю крепко тебя"],
    ["я заболел", "выздоравливай ты"],
    ["пошли в бар", "прикину и отпишусь"],
    ...small.map((said, at): [string, string] => [`гляди ${at}`, said]),
  ],
  Вера: Array.from({ length: 12 }, (_, at): [string, string] => [
    `Вы пришлёте счёт ${at}?`,
    "Да, высылаю вам, проверьте.",
  ]),
};

beforeAll(async () => {
  [database, model] = await Promise.all([openTestDatabase(), startOpenAiServer({ text: "ага" })]);
  const { db } = database;
  tenant = await buildTenant(db);
  await asTenant(db, tenant, async (tx) => {
    twinId = await buildTwinRow(tx, tenant);
    const place = { orgId: tenant.organizationId, twinId };
    const sourceId = await buildSource(tx, place);
    let hour = 0;
    for (const [name, pairs] of Object.entries(TALKS)) {
      const person = { ...place, platform: "telegram", externalId: name, name };
      const [contact] = await tx.insert(contacts).values(person).returning();
      people[name] = contact!.id;
      const [chat] = await tx
        .insert(chats)
        .values({ ...person, sourceId, kind: "private" })
        .returning({ id: chats.id });
      for (const [incoming, reply] of pairs) {
        const at = { ...place, chatId: chat!.id };
        const repliedAt = new Date(Date.UTC(2026, 0, 1, hour++));
        const [message] = await tx
          .insert(messages)
          .values({ ...at, externalId: String(hour), fromOwner: true, sentAt: repliedAt, text: reply })
          .returning({ id: messages.id });
        const pair = { ...at, contactId: contact!.id, incoming, reply, replyMessageId: message!.id };
        await tx.insert(replyExamples).values({ ...pair, repliedAt });
      }
    }
  });
  await buildTwinIndex(db, tenant, twinId);
});
afterAll(async () => {
  await model.close();
  await database.close();
});

const friend = (name: string): Audience => ({ kind: "contact", contactId: people[name]! });

interface Options {
  generator?: Generator;
  seed?: string;
  will?: boolean;
}

async function asked(
  audience: Audience,
  message: string,
  { generator = embeddedGenerator(), seed = "1", will = false }: Options = {},
) {
  const models = {
    db: database.db,
    generator,
    queryEmbedder: null,
    reranker: null,
    localModels: null,
    remoteGenerators: null,
  };
  const answer = await planReplyAlone(models, tenant, twinId, {
    ...{ message, history: [], learnt: [], audience, seed },
    ...(will ? { ownerAnswers: async () => "will" as const } : {}),
  });
  const text = await answer.whole(new AbortController().signal);
  return { text, plan: answer.planOf(text), toOwner: answer.leavesToOwner(text) };
}
const seeds = Array.from({ length: 12 }, (_, at) => String(at));
const all = (audience: Audience, message: string, options: Options = {}) =>
  Promise.all(seeds.map(async (seed) => (await asked(audience, message, { ...options, seed })).text));

const LOST = /не знаю|понятно|уточню|владел|лично|не подскажу|не в курсе/iu;

describe("without a model", () => {
  test("grief is answered with words that were said to this friend, and the owner is notified", async () => {
    const { plan, toOwner } = await asked(friend("Аня"), "мне так тоскливо сегодня");
    expect(plan.kind).toBe("unknown");
    expect(toOwner).toBe(true);
    const said = (await all(friend("Аня"), "мне так тоскливо сегодня", { will: true })).join("\n");
    expect(said).toMatch(/сочувствую тебе|держись там/iu);
    expect(said).not.toMatch(LOST);
    expect(said).not.toMatch(/обнимаю|выздоравливай/iu);
  });

  test("what another friend was told is never said, even to the same message", async () => {
    const said = (await all(friend("Боря"), "мне так тоскливо сегодня")).join("\n");
    expect(said).toMatch(/обнимаю|выздоравливай/iu);
    expect(said).not.toMatch(/сочувствую тебе|держись там/iu);
  });

  test("an invitation is put off and never accepted, even if the owner once accepted the same", async () => {
    for (const message of ["пойдём на каток?", "пойдём на каток в субботу?"]) {
      const { plan, toOwner } = await asked(friend("Аня"), message, { will: true });
      expect([plan.kind, toOwner]).toEqual(["unknown", true]);
      const said = (await all(friend("Аня"), message, { will: true })).join("\n");
      expect(said).not.toMatch(LOST);
      expect(said).not.toMatch(/давай,|в семь/iu);
      expect(said).toMatch(/надо подумать|позже|попозже/iu);
    }
  });

  test("where the owner was on another day is not told", async () => {
    const said = (await all(friend("Аня"), "ты где?")).join("\n");
    expect(said).not.toMatch(/дач/iu);
    expect(said).not.toMatch(LOST);
  });

  test("joy is shared with the confidence of a remark, so that an owner who reviews unsure replies sees it first", async () => {
    const { text, plan, toOwner } = await asked(friend("Аня"), "представь, я сдала на права!!");
    expect(text).not.toMatch(LOST);
    expect([plan.kind, plan.confidence, toOwner]).toEqual(["smalltalk", 0.6, false]);
  });

  test("a client and a stranger are answered as customers", async () => {
    for (const audience of [friend("Вера"), { kind: "stranger" } as const]) {
      const { text, plan } = await asked(audience, "Пойдём на каток в субботу?");
      expect(plan.kind).toBe("unknown");
      expect(text).toMatch(/не знаю/iu);
    }
  });
});

describe("with a model", () => {
  const generator = () => llmGenerator({ baseUrl: model.baseUrl, model: "m" });
  const said = async (message: string, text: string) => {
    model.script({ kind: "ok", text });
    return asked(friend("Аня"), message, { generator: generator() });
  };

  test("a kind phrase of the model is sent as it is", async () => {
    const { text, plan, toOwner } = await said("мне так тоскливо сегодня", "Ой, бедная моя. Держись, всё наладится!");
    expect(text).toBe("Ой, бедная моя. Держись, всё наладится!");
    expect([plan.kind, toOwner]).toEqual(["unknown", true]);
  });

  test.each([
    ["agrees", "пойдём на каток?", "Да, конечно!"],
    ["promises", "скинь фотки", "Пришлю сегодня вечером."],
    ["tells of the owner's day", "что делаешь вечером?", "Я сейчас на работе, пишу отчёт."],
    ["names a day", "пойдём на каток?", "Лучше в пятницу."],
    ["names somebody", "прикинь, у нас новый сосед", "Наверное, это Сергей из банка."],
  ])("a sentence that %s is not said", async (_, message, text) => {
    const given = await said(message, text);
    expect(given.text).not.toContain(text.slice(0, 8));
    expect(given.text).not.toBe("");
    expect(given.text).not.toMatch(LOST);
  });

  test("the prompt says that a friend writes, and contains no document", async () => {
    await said("мне так тоскливо сегодня", "Держись.");
    const messages = model.requests.at(-1)!.body.messages!;
    expect(messages[0]!.content).toContain("Пишет близкий человек");
    expect(messages.at(-1)!.content).toContain("Это обычный разговор.");
    expect(messages.at(-1)!.content).not.toContain("Данны");
  });
});
