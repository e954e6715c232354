import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { BlindTest, TwinQuality } from "#contract/quality.ts";
import { asTenant } from "#server/db/database.ts";
import { contacts, fidelityExamples, fidelityMeasures, messages, replyExamples, twins } from "#server/db/schema.ts";
import { type Part, splitHistory } from "#server/fidelity/split-history.ts";
import { ensureChat, ensureContacts, ensureSource, storeMessages } from "#server/knowledge/messages.ts";
import { pairChat } from "#server/knowledge/pairs/pair-chats.ts";
import { seededRandom } from "#server/random/seeded-random.ts";
import type { Generator } from "#server/replies/generators/generator.ts";
import type { ReplyRequest } from "#server/replies/reply-request.ts";
import { scorerOf } from "#server/style/scorer/stored-scorer.ts";
import { OwnersStyleAccumulator } from "#server/style/style-groups.ts";
import { messagesOf, OTHERS, OWNER } from "#server/test/factories/invented-people.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { measureFidelity } from "./measure-fidelity.ts";
import { trainTwin } from "./train-twin.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
  // The tests run the jobs themselves.
  await t.services.jobs.stop(2000);
});
afterAll(() => t.close());

const calm = new AbortController().signal;
const DAY_MS = 24 * 3600_000;
/** A reply said to one person on the first day and on the last, to questions in other words. */
const SAID_TWICE = "договор подпишу завтра утром, когда вернусь домой)";

/** A twin whose owner has answered each of `people` three times a day, an hour apart, on `days` days. */
async function twinWithTalks(client: TestClient, people: number, days: number): Promise<string> {
  const input = {
    name: "Вера",
    description: "Отвечает тем, кто пишет о делах",
    personality: "Спокойная, шутит редко",
    communicationStyle: "Коротко и по делу",
    knowledgeArea: "Дела и поездки",
  };
  const twinId = (await client.post("/api/digital-twins", input)).json().id as string;
  const tenant = client.caller;
  await asTenant(t.services.db, tenant, async (tx) => {
    const kind = { kind: "export", platform: "telegram", externalId: "1", name: "Выгрузка" } as const;
    const sourceId = await ensureSource(tx, tenant, twinId, kind);
    const place = { twinId, sourceId, platform: "telegram" };
    for (const [at, habits] of OTHERS.slice(0, people).entries()) {
      const who = { externalId: `${at}`, name: `Человек ${at}` };
      const contactId = (await ensureContacts(tx, tenant, place, [who])).get(who.externalId)!;
      const chatId = await ensureChat(tx, tenant, place, { ...who, kind: "private" });
      const count = days * 3;
      const [theirs, own] = [messagesOf(habits, count, `of ${at}`), messagesOf(OWNER, count, `to ${at}`)];
      if (at === 0) {
        theirs.splice(0, 1, "подпишешь договор?");
        theirs.splice(-1, 1, "а договор ты подпишешь?");
        own.splice(0, 1, SAID_TWICE);
        own.splice(-1, 1, SAID_TWICE);
      }
      const lines = theirs.flatMap((text, place) => {
        const sentAt = Date.UTC(2025, 0, 1, 9, at) + Math.floor(place / 3) * DAY_MS + (place % 3) * 3600_000;
        const line = { chatId, replyTo: null, kind: "text" as const };
        return [
          { ...line, contactId, fromOwner: false, externalId: `${place}?`, text, sentAt: new Date(sentAt) },
          {
            ...line,
            contactId: null,
            fromOwner: true,
            externalId: `${place}!`,
            text: own[place]!,
            sentAt: new Date(sentAt + 30_000),
          },
        ];
      });
      await storeMessages(tx, tenant, place, lines);
      await pairChat(tx, tenant, { twinId, chatId });
    }
  });
  const { organizationId, userId } = tenant;
  await trainTwin(t.services, { organizationId, userId, twinId }, calm);
  return twinId;
}

/** Answers whatever is asked as the owner writes. Without a model hardly anything can be answered to messages drawn at random. */
const inTheOwnersHand = (asked: ReplyRequest[] = []): Generator => ({
  name: "embedded",
  async *generate(request) {
    asked.push(request);
    yield messagesOf(OWNER, 1, `answer to ${request.message}`)[0]!;
  },
});

test("the twin is asked messages that it does not know, and the measure says how like its owner it answered", async () => {
  const client = await t.signUp();
  const twinId = await twinWithTalks(client, 8, 20);
  const tenant = { organizationId: client.caller.organizationId, userId: client.caller.userId };
  const asked: ReplyRequest[] = [];
  const watched = inTheOwnersHand(asked);
  await measureFidelity({ ...t.services, generator: watched }, { ...tenant, twinId }, calm);

  const found = await asTenant(t.services.db, tenant, async (tx) => ({
    twin: (await tx.select().from(twins).where(eq(twins.id, twinId)))[0]!,
    measures: await tx.select().from(fidelityMeasures).where(eq(fidelityMeasures.twinId, twinId)),
    examples: await tx.select().from(fidelityExamples),
    pairs: await tx
      .select({ id: replyExamples.id, incoming: replyExamples.incoming, sentAt: messages.sentAt })
      .from(replyExamples)
      .innerJoin(messages, eq(messages.id, replyExamples.replyMessageId)),
  }));
  const [measure] = found.measures;
  expect(measure).toMatchObject({ lacking: null, held: 96, people: 8 });
  expect(measure!.ceiling).toBeGreaterThan(0.7);
  expect(measure!.floor).toBeLessThan(0.3);
  // The draw is seeded by the twin's id, which differs at each run: only the order is certain.
  expect(measure!.value).toBeGreaterThan(Math.max(measure!.floor!, 0.3));
  expect(measure!.low).toBeLessThanOrEqual(measure!.value!);
  expect(found.twin.styleAccuracy).toBe(measure!.value);
  expect(found.examples).toHaveLength(96);

  // Both halves were asked the same; no answer used a pair of the newest days or of the judging half.
  expect(asked).toHaveLength(2 * 96);
  expect(
    asked.every(({ drafted }) => drafted),
    "asked as a contact in a channel asks",
  ).toBe(true);
  const used = [asked.slice(0, 96), asked.slice(96)].map(
    (half) => new Set(half.flatMap((request) => request.replyExamples.map(({ id }) => Number(id)))),
  );
  const newest = found.pairs.filter(({ sentAt }) => sentAt >= new Date(Date.UTC(2025, 0, 17)));
  expect(newest).toHaveLength(96);
  expect(newest.filter(({ id }) => used[0]!.has(id) || used[1]!.has(id))).toEqual([]);
  expect([...used[0]!].filter((id) => used[1]!.has(id))).toEqual([]);
  expect(used[0]!.size).toBeGreaterThan(0);
  expect(asked.flatMap((request) => request.replyExamples).filter(({ reply }) => reply === SAID_TWICE)).toEqual([]);

  await theOwnerSees(client, twinId);

  await client.delete(`/api/digital-twins/${twinId}`);
  const left = await asTenant(t.services.db, tenant, (tx) => tx.select().from(fidelityExamples));
  expect(left).toEqual([]);
});

/** Reads the page of quality and answers a blind test in which the owner recognises himself in every pair. */
async function theOwnerSees(client: TestClient, twinId: string): Promise<void> {
  const path = `/api/digital-twins/${twinId}`;
  const quality: TwinQuality = (await client.get(`${path}/quality`)).json();
  expect(quality.measure).toMatchObject({ outdated: false, lacking: null, rough: false, held: 96 });
  expect(quality.history).toHaveLength(1);
  expect(quality.worst).toHaveLength(8);
  expect(quality.profile!.messages).toBe(480);
  const own = new Set(messagesOfTheOwner());
  expect(quality.worst.every(({ ownerReply }) => own.has(ownerReply))).toBe(true);
  expect(quality.blindTestReady).toBe(true);
  // A reply in the owner's words, apart from case and marks, is not listed as unlike him, whatever a classifier thinks.
  const [first] = quality.worst;
  await asTenant(t.services.db, client.caller, (tx) =>
    tx
      .update(fidelityExamples)
      .set({ reply: `${first!.ownerReply.toUpperCase()} !!!` })
      .where(eq(fidelityExamples.id, Number(first!.id))),
  );
  const { worst }: TwinQuality = (await client.get(`${path}/quality`)).json();
  expect(worst).toHaveLength(8);
  expect(worst.map(({ id }) => id)).not.toContain(first!.id);

  const test: BlindTest = (await client.get(`${path}/blind-test`)).json();
  expect(test.pairs).toHaveLength(10);
  const answers = test.pairs.map(({ id, replies }) => ({
    id,
    choice: own.has(replies[0]) && !own.has(replies[1]) ? 0 : 1,
  }));
  const result = (await client.post(`${path}/blind-test`, { test: test.id, answers })).json();
  expect(result.total).toBe(10);
  const surely = test.pairs.filter(({ replies }) => replies.filter((reply) => own.has(reply)).length === 1);
  for (const { id } of surely) expect(result.own).toContainEqual(answers.find((answer) => answer.id === id));
  expect((await client.post(`${path}/blind-test`, { test: test.id, answers })).statusCode).toBe(409);
  expect((await client.get(`${path}/quality`)).json().blindTests).toMatchObject([{ right: result.right, total: 10 }]);
  expect((await client.post(`${path}/quality/measure`, {})).statusCode).toBe(202);
}

const messagesOfTheOwner = () => [SAID_TWICE, ...OTHERS.flatMap((_, at) => messagesOf(OWNER, 60, `to ${at}`))];

test("three contacts and 250 messages give a rough figure with wide bounds", async () => {
  const client = await t.signUp();
  const twinId = await twinWithTalks(client, 3, 28);
  const tenant = { organizationId: client.caller.organizationId, userId: client.caller.userId };
  await measureFidelity({ ...t.services, generator: inTheOwnersHand() }, { ...tenant, twinId }, calm);
  const { measure }: TwinQuality = (await client.get(`/api/digital-twins/${twinId}/quality`)).json();
  expect(measure).toMatchObject({ lacking: null, rough: true, people: 3 });
  const { value, low, high } = measure!.figures!;
  expect(high - low).toBeGreaterThan(0.2);
  const listed = (await client.get("/api/digital-twins")).json();
  expect(listed[0].styleAccuracy).toBe(value);
});

test("with too few people nothing is measured and the page says what is missing", async () => {
  const client = await t.signUp();
  const twinId = await twinWithTalks(client, 2, 60);
  const tenant = { organizationId: client.caller.organizationId, userId: client.caller.userId };
  await measureFidelity(t.services, { ...tenant, twinId }, calm);
  const [measure] = await asTenant(t.services.db, tenant, (tx) =>
    tx.select().from(fidelityMeasures).where(eq(fidelityMeasures.twinId, twinId)),
  );
  expect(measure).toMatchObject({ lacking: "people", value: null, people: 2 });
  // Contacts who are one person are one to compare with.
  await asTenant(t.services.db, tenant, (tx) =>
    tx.update(contacts).set({ mergedId: randomUUID() }).where(eq(contacts.twinId, twinId)),
  );
  await measureFidelity(t.services, { ...tenant, twinId }, calm);
  const again: TwinQuality = (await client.get(`/api/digital-twins/${twinId}/quality`)).json();
  expect(again.measure).toMatchObject({ lacking: "people", people: 1 });
  const listed = (await client.get("/api/digital-twins")).json();
  expect(listed[0].styleAccuracy).toBeNull();
  const quality: TwinQuality = (await client.get(`/api/digital-twins/${twinId}/quality`)).json();
  expect(quality.blindTestReady).toBe(false);
});

test("the scorer that chooses among a model's replies has learnt from the twin's half only, never from the judge's", async () => {
  const client = await t.signUp();
  const twinId = await twinWithTalks(client, 6, 20);
  const tenant = { organizationId: client.caller.organizationId, userId: client.caller.userId };
  const asked: ReplyRequest[] = [];
  const generator: Generator = {
    name: "llm",
    async *generate(request) {
      asked.push(request);
      yield "ну короче ага";
    },
  };
  await measureFidelity({ ...t.services, generator }, { ...tenant, twinId }, calm);
  const { rows, twin } = await asTenant(t.services.db, tenant, async (tx) => ({
    rows: await tx
      .select()
      .from(messages)
      .where(eq(messages.twinId, twinId))
      .orderBy(messages.chatId, messages.sentAt, messages.id),
    twin: (await tx.select().from(twins).where(eq(twins.id, twinId)))[0]!,
  }));
  const history = rows.map(({ id, chatId, contactId, fromOwner, sentAt, text }) => ({
    ...{ id, chatId, text, author: fromOwner ? null : contactId, at: sentAt.getTime() },
  }));
  const { partOf } = splitHistory(history, seededRandom(`fidelity:${twinId}:${twin.trainedRevision}`));
  const partners = new Map(rows.flatMap(({ chatId, contactId }) => (contactId === null ? [] : [[chatId, contactId]])));
  const scorerOfPart = (part: Part) => {
    const accumulator = new OwnersStyleAccumulator();
    for (const { id, chatId, sentAt, text, fromOwner } of rows)
      if (partOf.get(id) === part)
        accumulator.add({ text, sentAt, fromOwner, chatId, contactId: partners.get(chatId) ?? null });
    return scorerOf(accumulator.result().style, null);
  };
  const used = new Set(asked.map(({ scorer }) => JSON.stringify(scorer)));
  expect(used).toEqual(new Set([JSON.stringify(scorerOfPart("one"))]));
  expect(used).not.toContain(JSON.stringify(scorerOfPart("other")));
  // A real reply uses a scorer that has learnt from everything.
  expect(scorerOf(twin.styleProfile, null)).not.toBeNull();
  expect(used).not.toContain(JSON.stringify(scorerOf(twin.styleProfile, null)));
});
