/** A question counts as answered now only if the twin was asked again and gave the taught answer. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asTenant } from "#server/platform/db/database.ts";
import { gapQuestions } from "#server/platform/db/schema/conversations.ts";
import { type AskedTwin, askedTwin, newVisitor, settled } from "#server/test/gaps/asked-twin.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

const SNOWMOBILE = "Во сколько лет можно водить снегоход?";
const ANSWER = "Снегоход можно водить с 16 лет.";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

async function twinAsked(...questions: string[]): Promise<AskedTwin> {
  const twin = await askedTwin(t, await t.signUp());
  for (const text of questions) await twin.ask(newVisitor(), text);
  await settled(t);
  return twin;
}

test("an answer to one question leaves a similar question open, though the twin finds that answer near it", async () => {
  const children = "Снегоход с детьми можно водить?";
  const twin = await twinAsked(SNOWMOBILE, children);
  const gap = (await twin.list()).gaps.find(({ question }) => question === SNOWMOBILE);
  await twin.answerEverybody(gap!, ANSWER);
  await settled(t);
  expect((await twin.list()).gaps).toMatchObject([{ question: children, questions: [{ answered: false }] }]);
  expect((await twin.list("answered")).gaps).toMatchObject([{ question: SNOWMOBILE, questions: [{ answered: true }] }]);
});

test("a document that the twin had read before does not close a question that was left to the owner", async () => {
  const twin = await twinAsked(SNOWMOBILE, "Где купить лодку?");
  const { gaps } = await twin.list();
  const left = gaps.find(({ question }) => question !== SNOWMOBILE)!;
  // Simulates that the owner rejected the twin's answer from its document.
  await asTenant(t.services.db, twin.owner.caller, (tx) =>
    tx
      .update(gapQuestions)
      .set({ question: "Сколько стоит доставка по Москве?" })
      .where(eq(gapQuestions.id, Number(left.questions[0]!.id))),
  );
  await twin.answerEverybody(gaps.find(({ question }) => question === SNOWMOBILE)!, ANSWER);
  await settled(t);
  expect((await twin.list()).gaps.map(({ id }) => id)).toEqual([left.id]);
});

test("what was known of a former answer is not said of a new one until the twin was asked again", async () => {
  const twin = await twinAsked(SNOWMOBILE);
  const [gap] = (await twin.list()).gaps;
  await twin.answerEverybody(gap!, ANSWER);
  await settled(t);
  await twin.decide(gap!, { decision: "reopen" });
  await t.services.jobs.stop(2000);
  await twin.answerEverybody(gap!, "Снегоход можно водить с 18 лет.");
  expect(await twin.list("answered")).toMatchObject({
    working: true,
    gaps: [{ questions: [{ told: "sent", answered: null }] }],
  });
});
