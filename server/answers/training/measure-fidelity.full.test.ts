/** Measures with few and many messages, and the scorer. */
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { TwinQuality } from "#contract/quality.ts";
import { type Part, splitHistory } from "#server/answers/fidelity/split-history.ts";
import type { Generator } from "#server/answers/replies/generator.ts";
import type { ReplyRequest } from "#server/answers/replies/reply-request.ts";
import { OwnersStyleAccumulator } from "#server/knowledge/style/style-groups.ts";
import { scorerOf } from "#server/knowledge/style-scorer/stored-scorer.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { messages } from "#server/platform/db/schema/knowledge.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import { calm, inTheOwnersHand, prepareFidelity, t, twinWithTalks } from "#server/test/training/fidelity-bench.ts";
import { measureFidelity } from "./measure-fidelity.ts";

prepareFidelity();

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
  // A real reply uses a scorer trained on the whole history.
  expect(scorerOf(twin.styleProfile, null)).not.toBeNull();
  expect(used).not.toContain(JSON.stringify(scorerOf(twin.styleProfile, null)));
});
