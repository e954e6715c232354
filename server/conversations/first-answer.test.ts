import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FirstAnswer } from "#contract/first-answer.ts";
import { asTenant } from "#server/db/database.ts";
import { conversationMessages, conversations, exemplars } from "#server/db/schema.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { trainTwin } from "#server/training/train-twin.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
  // The tests train twins themselves.
  await t.services.jobs.stop(2000);
});
afterAll(() => t.close());

type Line = readonly ["user" | "assistant", string];

/** Asked once, answered in words that stand nowhere else. */
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
  const { organizationId, userId } = client.viewer;
  await trainTwin(t.services, { organizationId, userId, twinId }, new AbortController().signal);
}

const ask = (client: TestClient, twinId: string, input: object = { show: "first" }) =>
  client.post(`/api/digital-twins/${twinId}/first-answer`, input);

async function answered(client: TestClient, twinId: string, input: object = { show: "first" }) {
  const answer = await ask(client, twinId, input);
  expect(answer.statusCode, answer.body).toBe(200);
  const { pair, reply, more } = answer.json() as FirstAnswer;
  expect(reply?.response).toBeTruthy();
  return { pair: pair!, reply: reply!, more };
}

const pairId = (client: TestClient, twinId: string, reply: string) =>
  asTenant(t.services.db, client.viewer, async (tx) => {
    const [row] = await tx
      .select({ id: exemplars.id })
      .from(exemplars)
      .where(and(eq(exemplars.twinId, twinId), eq(exemplars.reply, reply)));
    return String(row!.id);
  });

const messagesOf = (client: TestClient, conversationId: string) =>
  asTenant(t.services.db, client.viewer, (tx) =>
    tx
      .select({ id: conversationMessages.id, role: conversationMessages.role, content: conversationMessages.content })
      .from(conversationMessages)
      .where(eq(conversationMessages.conversationId, conversationId))
      .orderBy(conversationMessages.id),
  );

describe("the first answer", () => {
  test("stands beside what the owner answered, and is kept as a test chat that can be rated", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, [...ONLY_ONCE, ...OTHERS]);
    const { pair, reply, more } = await answered(ann, twinId);
    expect(more).toBe(true);
    expect(pair.contactName).toBe("Димон");
    const lines = [...ONLY_ONCE, ...OTHERS].map(([, text]) => text);
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

  test("is given without the pair itself: what stands only there is not repeated", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, [...ONLY_ONCE, ...OTHERS]);
    const [[, question], [, owners]] = ONLY_ONCE as [Line, Line];
    // With everything that it knows, the twin says these very words again.
    const usual = await ann.post("/api/ai-generate", { twinId, message: question });
    expect(usual.json().response).toContain("бирюзовый");
    const { pair, reply } = await answered(ann, twinId, { show: "this", pairId: await pairId(ann, twinId, owners) });
    expect(pair).toMatchObject({ incoming: question, ownerReply: owners });
    expect(reply.response).not.toMatch(/бирюзов|каталог/);
    expect(JSON.stringify(reply.exemplars)).not.toMatch(/бирюзов|каталог/);
    // Nothing of it stays behind: the next question finds the pair as before.
    const again = await ann.post("/api/ai-generate", { twinId, message: question });
    expect(again.json().response).toContain("бирюзовый");
  });

  test("is given without the same pair from another import too", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, [...ONLY_ONCE, ...OTHERS]);
    await learn(ann, twinId, ONLY_ONCE, "Димон с работы");
    const { reply } = await answered(ann, twinId, {
      show: "this",
      pairId: await pairId(ann, twinId, ONLY_ONCE[1]![1]),
    });
    expect(reply.response).not.toMatch(/бирюзов|каталог/);
  });

  test("may lean on another pair of the same kind", async () => {
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

  test("asked again for the same pair is the same, and stored once", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, OTHERS);
    const first = await answered(ann, twinId);
    const second = await answered(ann, twinId, { show: "this", pairId: first.pair.id });
    expect(second.reply).toEqual(first.reply);
    expect(await messagesOf(ann, first.reply.conversationId)).toHaveLength(2);
  });

  test("has another pair behind it, in the same chat, and behind the last the first again", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, OTHERS);
    const first = await answered(ann, twinId);
    const { conversationId } = first.reply;
    const other = await answered(ann, twinId, { show: "next", pairId: first.pair.id, conversationId });
    expect(other.pair.id).not.toBe(first.pair.id);
    expect(other.reply.conversationId).toBe(conversationId);
    expect(await messagesOf(ann, conversationId)).toHaveLength(4);
    const round = await answered(ann, twinId, { show: "next", pairId: other.pair.id, conversationId });
    expect(round.reply).toEqual(first.reply);
  });

  test("is missing where there is no history, and nothing is stored", async () => {
    const ann = await t.signUp();
    const twinId = await newTwin(ann, []);
    expect((await ask(ann, twinId)).json()).toEqual({ pair: null, reply: null, more: false });
    const talks = await asTenant(t.services.db, ann.viewer, (tx) =>
      tx.select().from(conversations).where(eq(conversations.twinId, twinId)),
    );
    expect(talks).toEqual([]);
  });
});

describe("whose letters they are", () => {
  test("a colleague, administrators included, and a stranger are told that there is no such twin", async () => {
    const ann = await t.signUp({ role: "user" });
    const twinId = await newTwin(ann, OTHERS);
    const { organizationId } = ann.viewer;
    for (const other of [await t.signUp({ organizationId }), await t.signUp()]) {
      const answer = await ask(other, twinId);
      expect(answer.statusCode).toBe(404);
      expect(answer.body).not.toContain("репетицию");
    }
  });

  test("a pair of another twin is not there", async () => {
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
