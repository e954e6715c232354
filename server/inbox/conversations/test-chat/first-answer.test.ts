import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FirstAnswer } from "#contract/conversations/first-answer.ts";
import type { Proposal } from "#contract/corrections.ts";
import { trainTwin } from "#server/answers/training/train-twin.ts";
import { readActiveCorrections } from "#server/knowledge/corrections/active-corrections.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { conversationMessages, conversations } from "#server/platform/db/schema/conversations.ts";
import { replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { corrections } from "#server/platform/db/schema/public-replies.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
  await t.services.jobs.stop(2000);
});
afterAll(() => t.close());

type Line = readonly ["user" | "assistant", string];

const ONLY_ONCE: Line[] = [
  ["user", "Привет, какой оттенок краски выбрали для забора на даче?"],
  ["assistant", "тот самый бирюзовый, который мы с тобой в каталоге смотрели"],
];
const OTHERS: Line[] = [
  ["user", "Ты сегодня на репетицию придёшь вообще?"],
  ["assistant", "приду, только задержусь немного"],
  ["user", "Ну как тебе новая песня, понравилась?"],
  ["assistant", "огонь, припев вообще шикарный"],
];
/** A pair that another pair repeats in other words. */
const TOLD_TWICE: Line[] = [
  ["user", "Где ты обычно покупаешь струны для гитары?"],
  ["assistant", "беру на Савёловской у Палыча"],
  ["user", "А где ты обычно покупаешь струны для своей гитары?"],
  ["assistant", "на Савёловской у Палыча беру всегда"],
];

async function newTwin(client: TestClient, lines: readonly Line[]): Promise<string> {
  const twin = await client.post("/api/digital-twins", {
    name: "Лёша",
    description: "Отвечает друзьям, пока я занят",
    personality: "Добродушный гитарист, шутит над собой",
    communicationStyle: "Коротко, на «ты»",
    knowledgeArea: "Дача и репетиции",
  });
  const id = twin.json().id as string;
  await learn(client, id, lines);
  return id;
}

async function learn(client: TestClient, twinId: string, lines: readonly Line[], person = "Димон") {
  if (lines.length === 0) return;
  const messages = lines.map(([role, content], at) => ({
    role,
    content,
    timestamp: new Date(Date.UTC(2025, 4, 1, 10, at)).toISOString(),
  }));
  const upload = { digitalTwinId: twinId, platform: "telegram", participants: [person], messages };
  expect((await client.post("/api/conversations/upload", upload)).statusCode).toBe(201);
  const { organizationId, userId } = client.caller;
  await trainTwin(t.services, { organizationId, userId, twinId }, new AbortController().signal);
}

const ask = (client: TestClient, twinId: string, input: object = { show: "first" }) =>
  client.post(`/api/digital-twins/${twinId}/first-answer`, input);

async function answered(client: TestClient, twinId: string, input: object = { show: "first" }) {
  const answer = await ask(client, twinId, input);
  expect(answer.statusCode, answer.body).toBe(200);
  const { pair, reply, more, taught } = answer.json() as FirstAnswer;
  expect(reply?.response).toBeTruthy();
  return { pair: pair!, reply: reply!, more, taught };
}

const weakest = (client: TestClient, twinId: string, shown: string, conversationId?: string) =>
  answered(client, twinId, { show: "weakest", pairId: shown, conversationId });

const pairId = (client: TestClient, twinId: string, reply: string) =>
  asTenant(t.services.db, client.caller, async (tx) => {
    const [row] = await tx
      .select({ id: replyExamples.id })
      .from(replyExamples)
      .where(and(eq(replyExamples.twinId, twinId), eq(replyExamples.reply, reply)));
    return String(row!.id);
  });

const messagesOf = (client: TestClient, conversationId: string) =>
  asTenant(t.services.db, client.caller, (tx) =>
    tx
      .select({ id: conversationMessages.id, role: conversationMessages.role, content: conversationMessages.content })
      .from(conversationMessages)
      .where(eq(conversationMessages.conversationId, conversationId))
      .orderBy(conversationMessages.id),
  );

describe("the first answer", () => {
  test("is shown beside what the owner answered and kept as a test chat that can be rated", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, [...TOLD_TWICE, ...OTHERS]);
    const { pair, reply, more } = await answered(ann, twinId);
    expect(more).toBe(true);
    expect(pair.contactName).toBe("Димон");
    const lines = [...TOLD_TWICE, ...OTHERS].map(([, text]) => text);
    expect(lines.indexOf(pair.ownerReply)).toBe(lines.indexOf(pair.incoming) + 1);
    const kept = await messagesOf(ann, reply.conversationId);
    expect(kept).toEqual([
      { id: expect.any(Number), role: "user", content: pair.incoming },
      { id: Number(reply.messageId), role: "assistant", content: reply.response },
    ]);
    const rated = await ann.post(`/api/conversations/messages/${reply.messageId}/feedback`, {
      rating: 4,
      comment: "похоже",
      correction: "приду",
    });
    expect(rated.json()).toEqual({ rating: 4, comment: "похоже", correction: "приду" });
  });

  test("is made without the pair itself, so its words are not repeated", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, [...ONLY_ONCE, ...OTHERS]);
    const [[, question], [, owners]] = ONLY_ONCE as [Line, Line];
    // When the pair is known, the twin repeats these words.
    const usual = await ann.post("/api/ai-generate", { twinId, message: question });
    expect(usual.json().response).toContain("бирюзовый");
    const { pair, reply } = await answered(ann, twinId, { show: "this", pairId: await pairId(ann, twinId, owners) });
    expect(pair).toMatchObject({ incoming: question, ownerReply: owners });
    expect(reply.response).not.toMatch(/бирюзов|каталог/);
    expect(JSON.stringify(reply.replyExamples)).not.toMatch(/бирюзов|каталог/);
    // The preview leaves no trace: the next question finds the pair as before.
    const again = await ann.post("/api/ai-generate", { twinId, message: question });
    expect(again.json().response).toContain("бирюзовый");
  });

  test("is made without the same pair from another import too", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, [...ONLY_ONCE, ...OTHERS]);
    await learn(ann, twinId, ONLY_ONCE, "Димон с работы");
    const { reply } = await answered(ann, twinId, {
      show: "this",
      pairId: await pairId(ann, twinId, ONLY_ONCE[1]![1]),
    });
    expect(reply.response).not.toMatch(/бирюзов|каталог/);
  });

  test("may use another pair about the same subject", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, [
      ["user", "Ты сегодня на репетицию придёшь?"],
      ["assistant", "приду, куда я денусь"],
      ["user", "А сегодня на репетицию ты придёшь?"],
      ["assistant", "буду, гитару уже взял"],
    ]);
    const { reply } = await answered(ann, twinId, {
      show: "this",
      pairId: await pairId(ann, twinId, "буду, гитару уже взял"),
    });
    expect(reply.response.toLowerCase()).toContain("куда я денусь");
  });

  test("is the same when it is asked for again, and is stored once", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, TOLD_TWICE);
    const first = await answered(ann, twinId);
    const second = await answered(ann, twinId, { show: "this", pairId: first.pair.id });
    expect(second.reply).toEqual(first.reply);
    expect(await messagesOf(ann, first.reply.conversationId)).toHaveLength(2);
  });

  test("is followed by that of another pair in the same chat, and after the last by the first again", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, TOLD_TWICE);
    const first = await answered(ann, twinId);
    const { conversationId } = first.reply;
    const other = await answered(ann, twinId, { show: "next", pairId: first.pair.id, conversationId });
    expect(other.pair.id).not.toBe(first.pair.id);
    expect(other.reply.conversationId).toBe(conversationId);
    expect(await messagesOf(ann, conversationId)).toHaveLength(4);
    const round = await answered(ann, twinId, { show: "next", pairId: other.pair.id, conversationId });
    expect(round.reply).toEqual(first.reply);
  });

  test("is for the message that the twin answers best, even if another pair is worth more", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, [
      ...TOLD_TWICE,
      // This pair has the same rank and is newer, but its answer would be a set phrase.
      ["user", "Привет, как твои дела вообще?"],
      ["assistant", "да потихоньку, готовимся к концерту"],
    ]);
    const { pair, reply } = await answered(ann, twinId);
    expect(pair.incoming).toMatch(/струны/);
    expect(reply.basis).toBe("recurring");
  });

  test("is of the answers that the twin gives well the one nearest to the owner's own", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, [
      ...TOLD_TWICE,
      ["user", "Во сколько сегодня репетиция в гараже?"],
      ["assistant", "в семь, как всегда"],
      ["user", "Во сколько сегодня репетиция в нашем гараже?"],
      ["assistant", "переносим на завтра"],
    ]);
    const { pair, reply } = await answered(ann, twinId);
    expect(pair.incoming).toMatch(/струны/);
    expect(reply.response).toMatch(/Палыча/);
  });

  test("is none that only says «не знаю», be it in the owner's own words: without a better one, what can be taught comes first", async () => {
    const ann = await t.signUp();
    const unsure: Line[] = [
      ["user", "Во сколько завтра начинается концерт в клубе?"],
      ["assistant", "точно не знаю"],
      ["user", "А во сколько завтра начинается тот концерт в клубе?"],
      ["assistant", "точно не знаю, честно"],
    ];
    const twinId = await newTwin(ann, [...unsure, ...ONLY_ONCE]);
    expect((await ask(ann, twinId)).json()).toEqual({ pair: null, reply: null, more: true, taught: false });
    expect((await answered(ann, twinId, { show: "weakest" })).pair.incoming).toBe(ONLY_ONCE[0]![1]);
    await learn(ann, twinId, TOLD_TWICE, "Палыч");
    const { pair, reply } = await answered(ann, twinId);
    expect(pair.incoming).toMatch(/струны/);
    expect(reply.response).toMatch(/Савёловской/);
  });

  test("is none where the nearest exchanges share a word or two: what the owner said to them answers something else", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, [
      ["user", "Когда сможешь забрать?"],
      ["assistant", "сначала обжарь лук, потом морковь"],
      ["user", "а забрать когда сможешь?"],
      ["assistant", "на стене висит уже год"],
    ]);
    expect((await ask(ann, twinId)).json()).toEqual({ pair: null, reply: null, more: true, taught: false });
    const { reply } = await answered(ann, twinId, { show: "weakest" });
    expect(reply.basis).toBe("unknown");
    expect(reply.confidence).toBeLessThanOrEqual(0.3);
  });

  test("is followed by no kind word that may miss what was said: what the twin openly does not know comes instead", async () => {
    const ann = await t.signUp();
    const subjects = "забор крышу печку лодку сарай беседку колодец веранду калитку скамью".split(" ");
    const chat = subjects.flatMap((subject): Line[] => [
      ["user", `Ура, я наконец достроил ${subject}, ты рад?! Здорово!`],
      ["assistant", "ого, ну ты даёшь"],
      ["user", `Ура, наконец купили ${subject}!`],
      ["assistant", "поздравляю тебя"],
    ]);
    const twinId = await newTwin(ann, [...TOLD_TWICE, ...chat, ...ONLY_ONCE]);
    const first = await answered(ann, twinId);
    const { conversationId } = first.reply;
    const shown = [first.pair.id];
    for (let turn = 0; turn < 3; turn++) {
      const { pair, reply } = await answered(ann, twinId, { show: "next", pairId: shown.at(-1), conversationId });
      expect(reply.basis === "smalltalk" ? reply.confidence : 1).toBeGreaterThanOrEqual(0.75);
      shown.push(pair.id);
    }
  });

  test("is missing where there is no history, and then nothing is stored", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, []);
    expect((await ask(ann, twinId)).json()).toEqual({ pair: null, reply: null, more: false, taught: false });
    const talks = await asTenant(t.services.db, ann.caller, (tx) =>
      tx.select().from(conversations).where(eq(conversations.twinId, twinId)),
    );
    expect(talks).toEqual([]);
  });
});

describe("the message that the twin knows least about", () => {
  test("is one that it does not know, and not the one just shown", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, [...TOLD_TWICE, ...ONLY_ONCE]);
    const best = await answered(ann, twinId);
    const { pair, reply, taught } = await weakest(ann, twinId, best.pair.id);
    expect([pair.incoming, reply.basis, taught]).toEqual([ONLY_ONCE[0]![1], "unknown", false]);
  });

  test("is answered for all contacts in the words that the owner has taught, until that is taken back", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, [...TOLD_TWICE, ...ONLY_ONCE, ...OTHERS]);
    const best = await answered(ann, twinId);
    const { pair, reply } = await weakest(ann, twinId, best.pair.id, best.reply.conversationId);
    const from = { kind: "message", id: reply.messageId };
    const proposal = await ann.post(`/api/digital-twins/${twinId}/corrections/proposal`, {
      from,
      correction: pair.ownerReply,
    });
    const { question, text, suggested, contactName } = proposal.json() as Proposal;
    expect([question, text, contactName]).toEqual([pair.incoming, pair.ownerReply, "Димон"]);
    const correction = { from, kind: suggested, question, text, rules: [], scope: "everybody" };
    const learnt = await ann.post(`/api/digital-twins/${twinId}/corrections`, correction);
    expect(learnt.statusCode, learnt.body).toBe(201);
    // The earlier question in the same chat was another pair, so it is not part of the correction.
    const [row] = await asTenant(t.services.db, ann.caller, (tx) =>
      tx.select({ context: corrections.context }).from(corrections).where(eq(corrections.id, learnt.json().id)),
    );
    expect(row).toEqual({ context: [] });
    expect(await answered(ann, twinId, { show: "this", pairId: pair.id })).toMatchObject({ taught: true, reply });
    const asked = await ann.post("/api/ai-generate", { twinId, message: pair.incoming });
    expect(asked.json()).toMatchObject({ basis: "corrected" });
    // A taught pair is not offered again while its correction is valid.
    expect((await weakest(ann, twinId, best.pair.id)).pair.id).not.toBe(pair.id);
    await ann.delete(`/api/digital-twins/${twinId}/corrections/${learnt.json().id}`);
    expect(await weakest(ann, twinId, best.pair.id)).toMatchObject({ pair: { id: pair.id }, taught: false });
  });

  test("is taught as it is proposed to the one whom the owner wrote it to, who is then answered so, and to nobody else", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, [...TOLD_TWICE, ...ONLY_ONCE]);
    const best = await answered(ann, twinId);
    const { pair, reply } = await weakest(ann, twinId, best.pair.id);
    const from = { kind: "message", id: reply.messageId };
    const teach = `/api/digital-twins/${twinId}/corrections`;
    const proposal = (await ann.post(`${teach}/proposal`, { from, correction: pair.ownerReply })).json<Proposal>();
    const { question, text, suggested: kind, scopes, personal, people } = proposal;
    expect({ scopes, personal, people }).toEqual({
      scopes: { fact: "contact", style: "contact", example: "contact" },
      ...{ personal: null, people: 1 },
    });
    const learnt = await ann.post(teach, { from, kind, question, text, rules: [] });
    expect(learnt.json(), learnt.body).toMatchObject({ scope: "contact", contactName: "Димон" });
    expect(await answered(ann, twinId, { show: "this", pairId: pair.id })).toMatchObject({ taught: true });
    expect((await weakest(ann, twinId, best.pair.id)).pair.id).not.toBe(pair.id);
    for (const audience of [{ kind: "stranger" }, { kind: "member" }, { kind: "owner" }] as const)
      expect(await asTenant(t.services.db, ann.caller, (tx) => readActiveCorrections(tx, twinId, audience))).toEqual(
        [],
      );
    // Without its source message the pair's contact is unknown, so it must not count as the owner's own question.
    await asTenant(t.services.db, ann.caller, (tx) =>
      tx.delete(replyExamples).where(eq(replyExamples.id, Number(pair.id))),
    );
    expect((await ann.post(teach, { from, kind, question, text, rules: [], scope: "everybody" })).statusCode).toBe(404);
  });

  test("is neither a request nor a follow-up where there is an independent question", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, [
      ...TOLD_TWICE,
      ["user", "Скинь пожалуйста фотографии с последнего концерта, а?"],
      ["assistant", "лови, сейчас отправлю все"],
      ["user", "то есть с пятницы. а на субботу получится?"],
      ["assistant", "на субботу уже нет, всё забито"],
      ["user", "Во сколько у вас саундчек в пятницу"],
      ["assistant", "в шесть, но звукарь опоздает"],
    ]);
    const best = await answered(ann, twinId);
    expect((await weakest(ann, twinId, best.pair.id)).pair.incoming).toContain("саундчек");
  });

  test("is the only pair where there is just one", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, ONLY_ONCE);
    const only = await pairId(ann, twinId, ONLY_ONCE[1]![1]);
    const { pair, more } = await answered(ann, twinId, { show: "this", pairId: only });
    expect(more).toBe(false);
    expect((await weakest(ann, twinId, pair.id)).pair).toEqual(pair);
  });
});

describe("a twin that knows documents alone", () => {
  const PRICES =
    "Доставка по Москве стоит 350 рублей, за МКАД курьер не ездит.\n\nЧайная лавка «Лист» открыта каждый день с 10 до 21 часа.\n\nОплатить заказ можно картой, по счёту или наличными курьеру.";

  async function withDocument(client: TestClient, content: string, name = "Условия") {
    const twinId = await newTwin(client, []);
    const uploaded = await client.post("/api/knowledge/upload", {
      ...{ digitalTwinId: twinId, name, type: "faq", content, tags: [], status: "processed" },
    });
    expect(uploaded.statusCode, uploaded.body).toBe(201);
    const { organizationId, userId } = client.caller;
    await trainTwin(t.services, { organizationId, userId, twinId }, new AbortController().signal);
    return twinId;
  }
  const shown = async (client: TestClient, twinId: string, input: object) => {
    const answer = await ask(client, twinId, input);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<FirstAnswer>();
  };

  test("is asked a question that a document surely answers, and says which", async () => {
    const ann = await t.signUp();
    const twinId = await withDocument(ann, PRICES);
    const { pair, question, reply, more } = await shown(ann, twinId, { show: "first" });
    expect([pair, more]).toEqual([null, false]);
    expect(question).toMatch(/доставка|часы|оплатить/);
    expect(reply).toMatchObject({ basis: "knowledge", sources: [{ name: "Условия" }] });
    expect(reply!.response).toMatch(/350|с 10 до 21|картой/);
    expect((await messagesOf(ann, reply!.conversationId)).map(({ role, content }) => [role, content])).toEqual([
      ["user", question],
      ["assistant", reply!.response],
    ]);
  });

  test("is asked in the words of its own list of questions, without their numbers", async () => {
    const ann = await t.signUp();
    const twinId = await withDocument(
      ann,
      "1. Вопрос: Чем пуэр отличается от улуна?\nПуэр проходит ферментацию и хранится годами, улун окисляют лишь частично.\n\n2. Вопрос: Как заваривать белый чай?\nБелый чай заваривают водой 75 градусов две минуты.",
    );
    const { question, reply } = await shown(ann, twinId, { show: "first" });
    expect(question).toMatch(/^(?:Чем пуэр отличается от улуна|Как заваривать белый чай)\?$/);
    expect(reply).toMatchObject({ basis: "knowledge" });
  });

  test("is then asked what it does not know, which its owner can teach at once and which is the same when it is read again", async () => {
    const ann = await t.signUp();
    const twinId = await withDocument(ann, PRICES);
    const { reply: first } = await shown(ann, twinId, { show: "first" });
    const { conversationId } = first!;
    const { pair, question, reply, taught } = await shown(ann, twinId, { show: "weakest", conversationId });
    expect([pair, reply!.basis, reply!.conversationId, taught]).toEqual([null, "unknown", conversationId, false]);
    expect(await shown(ann, twinId, { show: "this", question, conversationId })).toMatchObject({ question, reply });
    expect(await messagesOf(ann, conversationId)).toHaveLength(4);
    const from = { kind: "message", id: reply!.messageId };
    const lesson = {
      from,
      kind: "fact",
      question,
      text: "По договорённости, напишите нам",
      rules: [],
      scope: "everybody",
    };
    const learnt = await ann.post(`/api/digital-twins/${twinId}/corrections`, lesson);
    expect(learnt.statusCode, learnt.body).toBe(201);
    expect((await ann.post("/api/ai-generate", { twinId, message: question })).json()).toMatchObject({
      basis: "corrected",
    });
    expect((await shown(ann, twinId, { show: "weakest", conversationId })).question).not.toBe(question);
    expect(await shown(ann, twinId, { show: "this", question, conversationId })).toMatchObject({ taught: true, reply });
  });

  test("goes first with what a document answers where no letter is answered well, then with what its letters leave open", async () => {
    const ann = await t.signUp();
    const twinId = await withDocument(ann, PRICES);
    await learn(ann, twinId, ONLY_ONCE);
    const first = await shown(ann, twinId, { show: "first" });
    expect([first.pair, first.reply?.basis, first.more]).toEqual([null, "knowledge", true]);
    expect((await answered(ann, twinId, { show: "weakest" })).pair.incoming).toBe(ONLY_ONCE[0]![1]);
  });
});

describe("access to the letters", () => {
  test("colleagues, administrators included, and strangers get «not found» for the twin", async () => {
    const ann = await t.signUp({ role: "user" });
    const twinId = await newTwin(ann, OTHERS);
    const { organizationId } = ann.caller;
    for (const other of [await t.signUp({ organizationId }), await t.signUp()]) {
      const answer = await ask(other, twinId);
      expect(answer.statusCode).toBe(404);
      expect(answer.body).not.toContain("репетицию");
    }
  });

  test("a pair of another twin is not found", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, OTHERS);
    const other = await newTwin(ann, ONLY_ONCE);
    const answer = await ask(ann, twinId, { show: "this", pairId: await pairId(ann, other, ONLY_ONCE[1]![1]) });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ code: "pair_not_found" });
  });

  test("a paused twin does not answer", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, OTHERS);
    await ann.put(`/api/digital-twins/${twinId}`, { isActive: false });
    const answer = await ask(ann, twinId);
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({ code: "twin_paused" });
  });
});
