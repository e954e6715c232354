/** When an open question is put to the twin again: after all that an answer may be made of, and after nothing else. */
import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withModels } from "#server/answers/replies/models.ts";
import { trainTwin } from "#server/answers/training/train-twin.ts";
import { runInBackground } from "#server/platform/db/caller-priority.ts";
import { asTenant, type Tx } from "#server/platform/db/database.ts";
import { gaps } from "#server/platform/db/schema/conversations.ts";
import { chunks } from "#server/platform/db/schema/knowledge.ts";
import { corrections, embeddings, openReplies } from "#server/platform/db/schema/public-replies.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { buildDocument } from "#server/test/factories/build-twin.ts";
import { type AskedTwin, askedTwin, newVisitor } from "#server/test/gaps/asked-twin.ts";
import { SNOWMOBILE } from "#server/test/gaps/gaps-bench.ts";
import { mostStatements } from "#server/test/statement-counts.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { closeGaps } from "./close-gaps.ts";

const RETURNS = "Возврат возможен в течение 14 дней, если сохранились чек и упаковка.";

let t: TestApp;
let twin: AskedTwin;
let busy: AskedTwin;
beforeAll(async () => {
  t = await testApp();
  twin = await askedTwin(t, await t.signUp());
  busy = await askedTwin(t, await t.signUp());
  // Else a visitor would wait for a job that sends the answer.
  for (const one of [twin, busy]) await one.answersBy("draft");
  await t.services.jobs.stop(2000);
  await twin.ask(newVisitor(), SNOWMOBILE);
  await close();
});
afterAll(() => t.close());

const never = new AbortController().signal;
const dataOf = ({ owner, twinId }: AskedTwin) => ({ ...owner.caller, twinId });
const close = async (of = twin) =>
  runInBackground(async () => closeGaps(await withModels(t.services, dataOf(of)), dataOf(of), never));
const train = (of = twin) => runInBackground(() => trainTwin(t.services, dataOf(of), never));
const within = <T>(work: (tx: Tx) => Promise<T>) => asTenant(t.services.db, twin.owner.caller, work);

/** Whether the next run puts the open question to the twin again. */
async function isAskedAfter(event: () => Promise<unknown>): Promise<boolean> {
  const checked = async () =>
    (await within((tx) => tx.select({ at: gaps.checkedAt }).from(gaps).where(eq(gaps.twinId, twin.twinId))))[0]!.at;
  await event();
  const before = await checked();
  await close();
  return (await checked()).getTime() > before.getTime();
}

/** Pastes a conversation of the owner with this person. */
async function paste(of: AskedTwin, name: string, exchanges: number): Promise<void> {
  const answer = await of.owner.post("/api/conversations/upload", {
    digitalTwinId: of.twinId,
    platform: "telegram",
    participants: [name],
    messages: Array.from({ length: exchanges }, (_, at) => [
      { role: "user", content: `Как добраться до склада номер ${at}?` },
      { role: "assistant", content: `На автобусе ${at} до площади` },
    ]).flat(),
  });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
}

test("a question is asked again after a document, past replies, a correction, a published reply and embeddings", async () => {
  const { organizationId: orgId } = twin.owner.caller;
  const { twinId } = twin;
  const isAskedAfterTraining = (event: () => Promise<unknown>) => isAskedAfter(() => event().then(() => train()));
  const document = () => buildDocument(twin.owner, twinId, RETURNS, { name: "Возврат" });
  expect(await isAskedAfterTraining(document)).toBe(true);
  expect(await isAskedAfterTraining(() => paste(twin, "Пётр", 1))).toBe(true);
  const correction = {
    ...{ orgId, twinId, kind: "fact" as const, question: "Где склад?", text: "Склад в Твери." },
    ...{ context: [], twinReply: "Не знаю", audience: 0, createdBy: twin.owner.caller.userId },
  };
  expect(await isAskedAfter(() => within((tx) => tx.insert(corrections).values(correction)))).toBe(true);
  const open = { orgId, twinId, origin: "recurring" as const, question: "Где вы?", reply: "Тут", people: 3 };
  expect(await isAskedAfter(() => within((tx) => tx.insert(openReplies).values(open)))).toBe(true);
  const embedded = () =>
    within(async (tx) => {
      const [chunk] = await tx.select({ id: chunks.id }).from(chunks).where(eq(chunks.twinId, twinId)).limit(1);
      const bytes = { contentHash: randomBytes(32), codes: randomBytes(8), signs: randomBytes(1) };
      await tx.insert(embeddings).values({ orgId, twinId, chunkId: chunk!.id, model: "m", ...bytes });
    });
  expect(await isAskedAfter(embedded)).toBe(true);
});

test("a question is not asked again while the twin has learnt nothing that an answer is made of", async () => {
  await within((tx) => tx.update(gaps).set({ checkedAt: sql`now() + interval '2 minutes'` }));
  expect(await isAskedAfter(async () => {})).toBe(false);
  const trained = { lastTrainedAt: sql`now() + interval '3 minutes'` };
  expect(await isAskedAfter(() => within((tx) => tx.update(twins).set(trained).where(eq(twins.id, twin.twinId))))).toBe(
    false,
  );
});

test("what a twin learns while its question is being answered makes the question due again", async () => {
  const before = new Date();
  await within((tx) => tx.update(gaps).set({ checkedAt: new Date(0) }));
  await close();
  const [gap] = await within((tx) => tx.select().from(gaps).where(eq(gaps.twinId, twin.twinId)));
  expect(gap!.checkedAt.getTime()).toBeGreaterThanOrEqual(before.getTime());
  expect(gap!.checkedAt.getTime()).toBeLessThan(Date.now());
});

test("no transaction of a training or of open questions sends more statements the more there is to do", async () => {
  const { db } = t.services;
  const questions = ["Где купить лодку?", "Сдаёте ли вы палатки?", "Во сколько закрывается кафе?", "Есть ли парковка?"];
  await busy.ask(newVisitor(), SNOWMOBILE);
  const most: Record<string, number[]> = { training: [], questions: [] };
  for (const round of [1, 2]) {
    for (let at = 0; at < round ** 2; at++) {
      const content = `Возврат номер ${round} ${at} возможен в течение 14 дней. `.repeat(20 * round);
      await buildDocument(busy.owner, busy.twinId, content, { name: `Возврат ${round} ${at}` });
      await paste(busy, `Пётр ${round} ${at}`, 10 * round ** 2);
    }
    if (round === 2) for (const question of questions) await busy.ask(newVisitor(), question);
    most.training!.push(await mostStatements(db, () => train(busy)));
    most.questions!.push(await mostStatements(db, () => close(busy)));
  }
  for (const [few, many] of Object.values(most)) expect(many).toBeLessThanOrEqual(few!);
  expect(Math.max(...Object.values(most).flat())).toBeLessThan(20);
});
