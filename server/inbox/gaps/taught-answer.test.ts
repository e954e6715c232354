/** A question counts as answered now only if the twin was asked again and gave the taught answer. */
import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asTenant } from "#server/platform/db/database.ts";
import { gapQuestions, gaps } from "#server/platform/db/schema/conversations.ts";
import { type AskedTwin, askedTwin, newVisitor, settled } from "#server/test/gaps/asked-twin.ts";
import { type ModelRequest, type OpenAiServer, startOpenAiServer } from "#server/test/servers/openai-server.ts";
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

const VERDICT = JSON.stringify({ unsupported: [], fault: "", covers: "all", score: 10 });
const KNOWN = "Почём привезёте, если я в Москве?";

interface ModelOfTwin {
  twin: AskedTwin;
  /** Both are open; a document answers the first in other words than are found without a model. */
  known: { id: string; question: string };
  unknown: { id: string; question: string };
  server: OpenAiServer;
  connect(changes: object): Promise<void>;
  /** How often the model was asked this question. */
  timesAsked(question: string): number;
}

async function twinWithModel(): Promise<ModelOfTwin> {
  const record = (kind: string, messages: string[]) =>
    JSON.stringify({ kind, messages, sources: [1], sums: [], open: "", action: "" });
  const isVerdict = ({ body }: ModelRequest) =>
    (body.response_format as { json_schema?: { name: string } } | undefined)?.json_schema?.name === "verdict";
  const contains = ({ body }: ModelRequest, words: string) => JSON.stringify(body.messages).includes(words);
  const server = await startOpenAiServer({
    text: (asked) => {
      if (isVerdict(asked)) return VERDICT;
      return contains(asked, KNOWN)
        ? record("answered", ["Доставка по Москве стоит 350 рублей."])
        : record("unknown", []);
    },
  });
  const twin = await askedTwin(t, await t.signUp({ superAdmin: true }));
  for (const text of [SNOWMOBILE, "Где купить лодку?"]) await twin.ask(newVisitor(), text);
  await settled(t);
  const [known, unknown] = (await twin.list()).gaps;
  await asTenant(t.services.db, twin.owner.caller, (tx) =>
    tx.update(gapQuestions).set({ said: KNOWN, question: KNOWN }).where(eq(gapQuestions.gapId, known!.id)),
  );
  const { organizationId } = twin.owner.caller;
  const settings = { preset: "compatible", baseUrl: server.baseUrl, model: "m", apiKey: "key", currency: "RUB" };
  return {
    ...{ twin, known: { ...known!, question: KNOWN }, unknown: unknown!, server },
    async connect(changes) {
      const answer = await twin.owner.put(`/api/organizations/${organizationId}/remote-model`, {
        ...settings,
        ...changes,
      });
      expect(answer.statusCode, answer.body).toBe(200);
      await settled(t);
    },
    timesAsked: (question) => server.requests.filter((one) => !isVerdict(one) && contains(one, question)).length,
  };
}

test("a model that is switched on is asked the open questions once, and one that it answers from a known document becomes answered", async () => {
  const { twin, unknown, server, connect, timesAsked } = await twinWithModel();
  await connect({ enabled: false });
  expect(server.requests).toHaveLength(0);
  await connect({ enabled: true });
  expect((await twin.list("answered")).gaps).toMatchObject([
    { question: KNOWN, answeredBy: "knowledge", questions: [{ answered: true }] },
  ]);
  expect((await twin.list()).gaps).toHaveLength(1);
  // Two calls for the answered one, one for the other; nothing more until another model or new knowledge.
  expect(server.requests).toHaveLength(3);
  await connect({ enabled: true, inputPrice: 1, outputPrice: 1 });
  await twin.ask(newVisitor(), "Сдаёте ли вы палатки?");
  await settled(t);
  expect(timesAsked(unknown.question)).toBe(1);
  await server.close();
});

test("a question that the model's provider refuses stays open, and those after it are asked", async () => {
  const { twin, known, unknown, server, connect, timesAsked } = await twinWithModel();
  server.script({ kind: "error", status: 400, body: JSON.stringify({ error: { code: "content_filter" } }) });
  await connect({ enabled: true });
  const refused = JSON.stringify(server.requests[0]!.body.messages).includes(KNOWN) ? known : unknown;
  expect((await twin.list()).gaps.map(({ id }) => id)).toContain(refused.id);
  expect([timesAsked(known.question), timesAsked(unknown.question)]).toEqual([1, 1]);
  // Until another model or new knowledge.
  await twin.ask(newVisitor(), "Сдаёте ли вы палатки?");
  await settled(t);
  expect(timesAsked(refused.question)).toBe(1);
  await server.close();
});

test("after an update the questions of an earlier release are not asked again of the model in use, but of one that is switched on", async () => {
  const { twin, known, unknown, server, connect, timesAsked } = await twinWithModel();
  await connect({ enabled: true });
  // As the update leaves open questions (migration 0030).
  await asTenant(t.services.db, twin.owner.caller, (tx) =>
    tx
      .update(gaps)
      .set({ checkedBy: "", state: "open", answeredBy: null })
      .where(inArray(gaps.id, [known.id, unknown.id])),
  );
  server.requests.length = 0;
  await twin.ask(newVisitor(), "Сдаёте ли вы палатки?");
  await settled(t);
  expect([timesAsked(known.question), timesAsked(unknown.question)]).toEqual([0, 0]);
  await connect({ enabled: true, model: "another" });
  expect([timesAsked(known.question), timesAsked(unknown.question)]).toEqual([1, 1]);
  await server.close();
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
