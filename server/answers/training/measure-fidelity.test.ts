import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { BlindTest, TwinQuality } from "#contract/quality.ts";
import type { Generator } from "#server/answers/replies/generator.ts";
import type { ReplyRequest } from "#server/answers/replies/reply-request.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { fidelityExamples, fidelityMeasures } from "#server/platform/db/schema/answers.ts";
import { contacts, messages, replyExamples } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { tooMany } from "#server/platform/errors.ts";
import { messagesOf, OTHERS, OWNER } from "#server/test/factories/invented-people.ts";
import type { TestClient } from "#server/test/test-app.ts";
import {
  calm,
  inTheOwnersHand,
  prepareFidelity,
  SAID_TWICE,
  t,
  twinWithTalks,
} from "#server/test/training/fidelity-bench.ts";
import { measureFidelity } from "./measure-fidelity.ts";

prepareFidelity();

/** Reads the quality page and answers a blind test in which the owner recognises himself in every pair. */
async function theOwnerSees(client: TestClient, twinId: string): Promise<void> {
  const path = `/api/digital-twins/${twinId}`;
  const quality: TwinQuality = (await client.get(`${path}/quality`)).json();
  expect(quality.measure).toMatchObject({ outdated: false, lacking: null, rough: false });
  expect(quality.measure!.held + quality.measure!.handedOver!).toBe(96);
  expect(quality.strangers).toMatchObject({ outdated: false, lacking: null });
  expect(quality.history).toHaveLength(1);
  expect(quality.worst).toHaveLength(8);
  expect(quality.profile!.messages).toBe(480);
  const own = new Set(messagesOfTheOwner());
  expect(quality.worst.every(({ ownerReply }) => own.has(ownerReply))).toBe(true);
  expect(quality.blindTestReady).toBe(true);
  // A reply equal to the owner's apart from case and punctuation is not listed as unlike, whatever the classifier says.
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
  expect(measure).toMatchObject({ lacking: null, people: 8 });
  // What the twin leaves to its owner is counted apart, and not judged.
  expect(measure!.held + measure!.handedOver).toBe(96);
  expect(measure!.handedOver).toBeGreaterThan(0);
  expect(measure!.ceiling).toBeGreaterThan(0.7);
  expect(measure!.floor).toBeLessThan(0.3);
  // The random seed is the twin's id, which differs in each run, so only the order is certain.
  expect(measure!.value).toBeGreaterThan(Math.max(measure!.floor!, 0.3));
  expect(measure!.low).toBeLessThanOrEqual(measure!.value!);
  expect(found.twin.styleAccuracy).toBe(measure!.value);
  expect(found.examples).toHaveLength(measure!.held);

  // Both halves got the same questions; no answer used a pair of the newest days or of the judging half.
  expect(asked).toHaveLength(3 * 96);
  // Then a stranger asked the first half, in the same conversations, and met nothing that was written to a contact.
  const strange = asked.splice(2 * 96);
  expect(strange.map(({ message }) => message)).toEqual(asked.slice(0, 96).map(({ message }) => message));
  expect(strange.some(({ history }) => history.length > 0)).toBe(true);
  expect(strange.flatMap(({ replyExamples }) => replyExamples.filter(({ isOpen }) => !isOpen))).toEqual([]);
  const [, ofStrangers] = found.measures;
  expect(ofStrangers).toMatchObject({ audience: "strangers", lacking: null, people: 8 });
  expect(ofStrangers!.held + ofStrangers!.handedOver).toBe(96);
  expect(
    asked.every(({ drafted }) => drafted),
    "asked as a contact in a channel asks",
  ).toBe(true);
  const used = [asked.slice(0, 96), asked.slice(96)].map(
    (half) => new Set(half.flatMap((request) => request.replyExamples.map(({ id }) => Number(id)))),
  );
  const newest = found.pairs.filter(({ sentAt }) => sentAt >= new Date(Date.UTC(2025, 0, 17)));
  expect(newest).toHaveLength(96);
  // «Сегодня» is the day of the message, not of the measurement.
  const days = new Set(newest.map(({ sentAt }) => sentAt.toDateString()));
  expect(asked.filter(({ now }) => !days.has(now!.at.toDateString()))).toEqual([]);
  expect(newest.filter(({ id }) => used[0]!.has(id) || used[1]!.has(id))).toEqual([]);
  expect([...used[0]!].filter((id) => used[1]!.has(id))).toEqual([]);
  expect(used[0]!.size).toBeGreaterThan(0);
  expect(asked.flatMap((request) => request.replyExamples).filter(({ reply }) => reply === SAID_TWICE)).toEqual([]);

  await theOwnerSees(client, twinId);

  await client.delete(`/api/digital-twins/${twinId}`);
  const left = await asTenant(t.services.db, tenant, (tx) => tx.select().from(fidelityExamples));
  expect(left).toEqual([]);
});

test("a budget that ends between the two has only the strangers measured tomorrow", async () => {
  const client = await t.signUp();
  const twinId = await twinWithTalks(client, 8, 20);
  const tenant = { organizationId: client.caller.organizationId, userId: client.caller.userId };
  const asked: ReplyRequest[] = [];
  const watched = inTheOwnersHand(asked);
  const spent: Generator = {
    name: "embedded",
    async *generate(request, signal) {
      if (asked.length === 2 * 96) throw tooMany("model_budget_spent", "Дневной предел исчерпан.", { retryAfter: 60 });
      yield* watched.generate(request, signal);
    },
  };
  const later: unknown[] = [];
  const jobs = { enqueue: async (_tx: unknown, name: string, data: unknown) => void later.push([name, data]) };
  const data = { ...tenant, twinId };
  await measureFidelity({ ...t.services, jobs, generator: spent }, data, calm);
  expect(later).toEqual([["measure-fidelity", { ...data, only: "strangers" }]]);
  asked.length = 0;
  await measureFidelity({ ...t.services, generator: watched }, { ...data, only: "strangers" }, calm);
  expect(asked).toHaveLength(96);
  const measures = await asTenant(t.services.db, tenant, (tx) =>
    tx
      .select({ audience: fidelityMeasures.audience })
      .from(fidelityMeasures)
      .where(eq(fidelityMeasures.twinId, twinId)),
  );
  expect(measures.map(({ audience }) => audience)).toEqual(["contacts", "strangers"]);
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
  // Contacts who are one person count once in the comparison.
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
