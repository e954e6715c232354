/** A question counts as answered now only if the twin was asked again and gave the taught answer. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asTenant } from "#server/platform/db/database.ts";
import { gapQuestions } from "#server/platform/db/schema/conversations.ts";
import { type AskedTwin, askedTwin, newVisitor, settled } from "#server/test/gaps/asked-twin.ts";
import { startOpenAiServer } from "#server/test/servers/openai-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

const SNOWMOBILE = "Во сколько лет можно водить снегоход?";
const ANSWER = "Снегоход можно водить с 16 лет.";

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ localModelHosts: [] });
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

test("a model that is switched on is asked the open questions once, and one that it answers from a known document becomes answered", async () => {
  const verdict = JSON.stringify({ unsupported: [], fault: "", covers: "all", score: 10 });
  const record = (kind: string, messages: string[]) =>
    JSON.stringify({ kind, messages, sources: [1], sums: [], open: "", action: "" });
  const known = "Почём привезёте, если я в Москве?";
  const model = await startOpenAiServer({
    text: ({ body }) => {
      const format = (body.response_format as { json_schema?: { name: string } } | undefined)?.json_schema?.name;
      if (format === "verdict") return verdict;
      return JSON.stringify(body.messages).includes(known)
        ? record("answered", ["Доставка по Москве стоит 350 рублей."])
        : record("unknown", []);
    },
  });
  const twin = await askedTwin(t, await t.signUp({ superAdmin: true }));
  for (const text of [SNOWMOBILE, "Где купить лодку?"]) await twin.ask(newVisitor(), text);
  await settled(t);
  const { gaps } = await twin.list();
  expect(gaps).toHaveLength(2);
  // A question which the document answers in other words than were found without a model.
  await asTenant(t.services.db, twin.owner.caller, (tx) =>
    tx.update(gapQuestions).set({ said: known, question: known }).where(eq(gapQuestions.gapId, gaps[0]!.id)),
  );
  const { organizationId } = twin.owner.caller;
  const settings = { preset: "compatible", baseUrl: model.baseUrl, model: "m", apiKey: "key", currency: "RUB" };
  const connect = (changes: object) =>
    twin.owner.put(`/api/organizations/${organizationId}/remote-model`, { ...settings, ...changes });
  expect((await connect({ enabled: false })).statusCode).toBe(200);
  await settled(t);
  expect(model.requests).toHaveLength(0);
  expect((await connect({ enabled: true })).statusCode).toBe(200);
  await settled(t);
  expect((await twin.list("answered")).gaps).toMatchObject([
    { question: known, answeredBy: "knowledge", questions: [{ answered: true }] },
  ]);
  expect((await twin.list()).gaps).toHaveLength(1);
  // Two calls for the answered one, one for the other; nothing more until another model or new knowledge.
  expect(model.requests).toHaveLength(3);
  expect((await connect({ enabled: true, inputPrice: 1, outputPrice: 1 })).statusCode).toBe(200);
  await twin.ask(newVisitor(), "Сдаёте ли вы палатки?");
  await settled(t);
  const again = model.requests.filter(({ body }) => JSON.stringify(body.messages).includes(gaps[1]!.question));
  expect(again).toHaveLength(1);
  await model.close();
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
