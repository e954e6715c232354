import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Audience } from "#server/knowledge/embeddings/twin-units.ts";
import { openRepliesDerivedFrom } from "#server/knowledge/public-replies/derived-replies.ts";
import { buildTwinIndex } from "#server/knowledge/search/build-twin-index.ts";
import type { LeftOut } from "#server/knowledge/search/twin-index.ts";
import { OwnersStyleAccumulator } from "#server/knowledge/style/style-groups.ts";
import { asTenant, type OpenDatabase, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { chats, contacts, messages, replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { openReplies } from "#server/platform/db/schema/public-replies.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { openTestDatabase } from "#server/test/database.ts";
import { buildSource, buildTenant, buildTwinRow } from "#server/test/factories/build-rows.ts";
import { type OpenAiServer, startOpenAiServer } from "#server/test/servers/openai-server.ts";
import { llmGenerator } from "../llm-generator.ts";
import { openTwin } from "../open-twin.ts";
import { prepareReply } from "./prepare-reply.ts";
import { streamReply } from "./stream-reply.ts";

let database: OpenDatabase;
let model: OpenAiServer;
let tenant: Tenant;
let twinId: string;
const people: Record<string, number> = {};
const within = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => asTenant(database.db, tenant, work);

/**
 * Past messages by contact, oldest first: two friends and two clients. A reply with a leading «|» is private to that contact; the owner
 * has published the others.
 */
const TALKS: Record<string, [group: string, ...pairs: [asked: string, replied: string][]]> = {
  Аня: ["ты1", ["ты где вообще", "ща буду)"], ["мама приехала", "о, супер)"], ["секрет Ани", "|никому не скажу"]],
  Боря: ["ты1", ["Борина тайна", "ну ты даешь))"], ["Борин адрес", "|ул. Ленина"]],
  Вера: ["вы2", ["Верины вопросы", "Добрый день. Уточню у коллег."], ["Верин договор", "Здравствуйте. Отправили вам."]],
  Глеб: ["вы2", ["Глебов счет", "Спасибо. Проверяем оплату."]],
};

beforeAll(async () => {
  [database, model] = await Promise.all([openTestDatabase(), startOpenAiServer({ text: "ага" })]);
  tenant = await buildTenant(database.db);
  const style = new OwnersStyleAccumulator();
  await within(async (tx) => {
    twinId = await buildTwinRow(tx, tenant);
    const place = { orgId: tenant.organizationId, twinId };
    const sourceId = await buildSource(tx, place);
    let hour = 0;
    for (const [name, [styleGroup, ...pairs]] of Object.entries(TALKS)) {
      const person = { ...place, platform: "telegram", externalId: name, name };
      const [contact] = await tx
        .insert(contacts)
        .values({ ...person, styleGroup })
        .returning();
      people[name] = contact!.id;
      const [chat] = await tx
        .insert(chats)
        .values({ ...person, sourceId, kind: "private" })
        .returning({ id: chats.id });
      for (const [incoming, said] of pairs) {
        const repliedAt = new Date(Date.UTC(2026, 0, 1, hour++));
        const reply = said.replace("|", "");
        const at = { ...place, chatId: chat!.id };
        const [message] = await tx
          .insert(messages)
          .values({ ...at, externalId: String(hour), fromOwner: true, sentAt: repliedAt, text: reply })
          .returning({ id: messages.id });
        const pair = { ...at, contactId: contact!.id, incoming, reply, replyMessageId: message!.id };
        await tx.insert(replyExamples).values({ ...pair, repliedAt });
        const opened = { ...place, origin: "opened", contactId: contact!.id, replyMessageId: message!.id } as const;
        if (!said.startsWith("|"))
          await tx.insert(openReplies).values({ ...opened, question: `Вопрос ${hour}`, reply });
        for (let again = 0; again < 60; again++)
          style.add({ text: reply, sentAt: null, fromOwner: true, chatId: contact!.id, contactId: contact!.id });
      }
    }
    const { style: styleProfile, groupOf } = style.result();
    await tx.update(twins).set({ styleProfile }).where(eq(twins.id, twinId));
    for (const [id, styleGroup] of groupOf) await tx.update(contacts).set({ styleGroup }).where(eq(contacts.id, id));
  });
  await buildTwinIndex(database.db, tenant, twinId);
});
afterAll(async () => {
  await model.close();
  await database.close();
});

interface Asked {
  audience: Audience;
  message: string;
  contact?: { notes: string[]; address: "ты" | "вы" | null };
  leftOut?: LeftOut;
}

const MESSAGE_BELOW = "\n\nСообщение собеседника:\n";

/** Returns the messages that the model receives. */
async function sent({ audience, message, contact, leftOut }: Asked) {
  const request = await within(async (tx) => {
    const { twin, index } = await openTwin(tx, tenant, twinId, leftOut && { leftOut });
    const id = audience.kind === "contact" ? audience.contactId : 0;
    const [row] = await tx
      .select({ styleGroup: contacts.styleGroup })
      .from(contacts)
      .where(inArray(contacts.id, [id]));
    const noted = contact && { ...contact, styleGroup: row?.styleGroup ?? null };
    const asked = {
      message,
      history: [],
      learnt: [],
      queryEmbedding: null,
      audience,
      seed: "1",
      generator: "llm",
    } as const;
    return prepareReply({ twin, index, ...asked, history: [], ...(noted && { contact: noted }) });
  });
  const generator = llmGenerator({ baseUrl: model.baseUrl, model: "m" });
  for await (const _ of streamReply(generator, request, new AbortController().signal));
  const [system, ...turns] = model.requests.at(-1)!.body.messages!;
  return {
    system: system!.content,
    /** The owner's past exchanges, which stand in a block of their own. */
    samples:
      /Так владелец писал раньше[^\n]*\n<<<\S+\n([\s\S]*?)\n\S+>>>/u.exec(system!.content)?.[1]?.split("\n") ?? [],
    /** Only the message of the last turn is compared, without the material above it. */
    turns: [...turns.slice(0, -1).map(({ content }) => content), turns.at(-1)!.content.split(MESSAGE_BELOW).at(-1)],
    all: JSON.stringify(model.requests.at(-1)!.body),
  };
}

test("a model reads the owner's latest exchanges with this contact and with similar ones, and no other contact's", async () => {
  const anna = { kind: "contact", contactId: people.Аня! } as const;
  const friendly = await sent({
    audience: anna,
    message: "мама уже приехала?",
    contact: { notes: ["сестра, живет в Казани"], address: "ты" },
  });
  expect(friendly.turns).toEqual(["мама уже приехала?"]);
  expect(friendly.samples).toEqual([
    "— «Вопрос 4» → ну ты даешь))",
    "— «ты где вообще» → ща буду)",
    "— «мама приехала» → о, супер)",
    "— «секрет Ани» → никому не скажу",
  ]);
  expect(friendly.system).toContain("по сообщениям владельца этому собеседнику и тем, кому он пишет так же");
  expect(friendly.system).toContain("говори только на «ты»");
  expect(friendly.all).not.toContain("живет в Казани");
  expect(friendly.all).not.toMatch(/Борин|Ленина|Верин|Глебов|Добрый день|Здравствуйте/);

  const polite = await sent({
    audience: { kind: "contact", contactId: people.Глеб! },
    message: "А когда мне ждать ответа?",
    contact: { notes: [], address: null },
  });
  expect(polite.samples).toEqual([
    "— «Вопрос 6» → Добрый день. Уточню у коллег.",
    "— «Вопрос 7» → Здравствуйте. Отправили вам.",
    "— «Глебов счет» → Спасибо. Проверяем оплату.",
  ]);
  expect(polite.all).not.toMatch(/супер|даешь|Верин|Борин|секрет/);

  // The owner's style with strangers is unknown.
  const stranger = await sent({ audience: { kind: "stranger" }, message: "слоны в саду" });
  expect(stranger).toMatchObject({ samples: [], turns: ["слоны в саду"] });
  expect(stranger.all).not.toMatch(/супер|даешь|Добрый день|секрет|Борин/);
});

test("an exchange that the twin must not know is no example; the owner gets the latest of all contacts", async () => {
  const pairs = await within((tx) =>
    tx.select({ id: replyExamples.id, reply: replyExamples.reply }).from(replyExamples),
  );
  const known = pairs.find(({ reply }) => reply === "ща буду)")!;
  const hidden = new Set(pairs.filter((pair) => pair !== known).map(({ id }) => id));
  const held = await sent({
    audience: { kind: "contact", contactId: people.Аня! },
    message: "придешь вечером?",
    contact: { notes: [], address: null },
    leftOut: new Map([
      ["example", hidden],
      ["open", await within((tx) => openRepliesDerivedFrom(tx, twinId, hidden))],
    ]),
  });
  expect(held.samples).toEqual(["— «ты где вообще» → ща буду)"]);
  expect(held.all).not.toMatch(/супер|даешь|никому/);
  const own = await sent({ audience: { kind: "owner" }, message: "слоны в саду" });
  expect(own.samples.at(-1)).toBe("— «Глебов счет» → Спасибо. Проверяем оплату.");
});
