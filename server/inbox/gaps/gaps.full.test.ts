import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { Corrections } from "#contract/corrections.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { conversations, gaps } from "#server/platform/db/schema/conversations.ts";
import { newVisitor, settled } from "#server/test/gaps/asked-twin.ts";
import { ANSWER, prepareGaps, SNOWMOBILE, t, testChat, twinOf } from "#server/test/gaps/gaps-bench.ts";

prepareGaps();

describe("what counts as a gap", () => {
  test("answers, greetings, complaints, requests and topics that are the owner's alone are none", async () => {
    const twin = await twinOf();
    for (const text of [
      "Сколько стоит доставка по Москве?",
      "Здравствуйте!",
      "Курьер опять приехал на день позже и нахамил",
      "Перезвоните мне, пожалуйста",
      "Какие таблетки принимать от головы?",
    ])
      await twin.ask(newVisitor(), text);
    await settled(t);
    expect((await twin.list()).gaps).toEqual([]);
  });

  test("a quotation is none until the owner rejects it", async () => {
    const twin = await twinOf();
    await twin.answersBy("draft");
    const visitor = newVisitor();
    await twin.ask(visitor, "Доставка по Твери сколько занимает и стоит?");
    await settled(t);
    const [draft] = await twin.drafts();
    expect(draft).toBeDefined();
    const before = (await twin.list()).counts.open;
    await asTenant(t.services.db, twin.owner.caller, (tx) =>
      tx.execute(`update outbox set citations = jsonb_set(citations, '{basis}', '"quoted"') where id = '${draft!.id}'`),
    );
    expect((await twin.owner.post(`/api/approvals/${draft!.id}/reject`)).statusCode).toBe(200);
    await settled(t);
    expect((await twin.list()).counts.open).toBe(Math.max(1, before));
  });

  test("brings the passage that stood nearest in its own reply, not in a later one of the same talk", async () => {
    const twin = await twinOf();
    const visitor = newVisitor();
    const [helmet, helicopter] = ["Шлем в прокат даёте?", "Доставка по Москве на вертолёте бывает?"];
    await twin.ask(visitor, helmet);
    await twin.ask(visitor, helicopter);
    await settled(t);
    const nearest = new Map((await twin.list()).gaps.map((gap) => [gap.question, gap.nearest]));
    expect(nearest.get(helmet)).toBeNull();
    expect(nearest.get(helicopter)).toMatchObject({ name: "Доставка", text: expect.stringContaining("350 рублей") });
  });

  test("holds what was left without an answer, neither the greeting around it nor the question before it that was answered", async () => {
    const twin = await twinOf();
    const [apart, together] = [newVisitor(), newVisitor()];
    await twin.ask(apart, "Добрый день! Сколько стоит доставка по Москве?");
    await twin.ask(apart, "А можно прийти к вам на склад с ребёнком, посмотреть?");
    // Messages of one burst are lines of one question.
    await twin.ask(together, `Здравствуйте!\n${SNOWMOBILE}`);
    // An introduction to a question is not repeated as a part of it.
    await twin.ask(newVisitor(), "Понятно. И ещё вопрос: шлем в прокат даёте или нужен свой?");
    await settled(t);
    const { gaps: open } = await twin.list();
    expect(open.map(({ question }) => question).toSorted()).toEqual([
      "А можно прийти к вам на склад с ребёнком, посмотреть?",
      SNOWMOBILE,
      "Шлем в прокат даёте или нужен свой?",
    ]);
    expect(open.find(({ question }) => question === SNOWMOBILE)!.questions[0]!.text).toContain("Здравствуйте!");
  });

  test("holds the one question of several that the answer passes over, and none where all are answered", async () => {
    const twin = await twinOf();
    const [visitor, other] = [newVisitor(), newVisitor()];
    expect(await twin.ask(visitor, `Сколько стоит доставка по Москве? ${SNOWMOBILE}`)).toContain("350");
    await twin.ask(other, "Сколько стоит доставка по Москве и сколько она идёт?");
    await testChat(twin, `${SNOWMOBILE} И сколько стоит доставка по Москве?`);
    await settled(t);
    const { gaps: open } = await twin.list();
    expect(open).toMatchObject([{ question: SNOWMOBILE, people: 1, times: 2 }]);
  });
});

describe("an answer", () => {
  test("is proposed from what the owner has answered by hand, and reaches no contact before he confirms it", async () => {
    const twin = await twinOf();
    const visitor = newVisitor();
    await twin.ask(visitor, SNOWMOBILE);
    await settled(t);
    const [draft] = await twin.drafts();
    await twin.owner.put(`/api/approvals/${draft!.id}`, { text: ANSWER });
    await twin.owner.post(`/api/approvals/${draft!.id}/approve`);
    await settled(t);
    const [gap] = (await twin.list()).gaps;
    expect(gap!.proposal).toMatchObject({ text: ANSWER, conversationId: draft!.conversationId });
    expect(await twin.ask(newVisitor(), SNOWMOBILE)).not.toContain("16");
    const heard = (await twin.lines(visitor)).length;
    await settled(t);
    await twin.answer((await twin.list()).gaps[0]!, gap!.proposal!.text);
    await settled(t);
    // The owner has already answered that visitor.
    expect((await twin.lines(visitor)).length).toBe(heard);
    const told = (await twin.list("answered")).gaps[0]!.questions.map((one) => one.told);
    expect(told.toSorted()).toEqual(["by_hand", "sent"]);
  });
});

describe("paraphrases that the comparison cannot know to be one", () => {
  const TOWED = "Снегоход напрокат на выходные даёте?";
  const asked = async () => {
    const twin = await twinOf();
    const [first, second] = [newVisitor(), newVisitor()];
    await twin.ask(first, "Вы сдаёте снегоход в аренду?");
    await twin.ask(second, TOWED);
    await settled(t);
    const open = (await twin.list()).gaps;
    expect(open).toHaveLength(2);
    const gap = open.find(({ question }) => question.includes("аренду"))!;
    const other = open.find(({ question }) => question === TOWED)!;
    return { twin, first, second, gap, other };
  };
  const body = (gap: { question: string }, also: string[]) => ({
    ...{ decision: "answer", question: gap.question, text: "Снегоход сдаём на сутки за 9000 рублей.", also },
    scope: "everybody",
  });

  test("stand beside each other, and one answer with a tick holds for all who asked, in place of what did not hold before", async () => {
    const { twin, first, second, gap, other } = await asked();
    expect(gap.near).toEqual([{ id: other.id, question: TOWED }]);
    await twin.answer(other, "Снегоход даём только на неделю.");
    await settled(t);
    await asTenant(t.services.db, twin.owner.caller, (tx) =>
      tx.update(gaps).set({ state: "open", answeredBy: null }).where(eq(gaps.id, other.id)),
    );
    expect(await twin.decide(gap, body(gap, [other.id]))).toBe(204);
    await settled(t);
    expect((await twin.lines(first)).at(-1)!.text).toContain("9000");
    expect((await twin.lines(second)).at(-1)!.text).toContain("на неделю");
    expect((await twin.list()).counts).toEqual({ open: 0, answered: 1, ignored: 0 });
    expect((await twin.list("answered")).gaps).toMatchObject([{ id: gap.id, people: 2, near: [] }]);
    expect((await testChat(twin, TOWED)).json().response).toContain("9000");
    const taught = (await twin.owner.get(`/api/digital-twins/${twin.twinId}/corrections`)).json<Corrections>();
    expect(taught.corrections.map(({ text }) => text)).toEqual(["Снегоход сдаём на сутки за 9000 рублей."]);
  });

  test("are left alone without a tick, once they are decided on, and where they are another twin's", async () => {
    const { twin, second, gap, other } = await asked();
    const stranger = await twinOf();
    await stranger.ask(newVisitor(), TOWED);
    await settled(t);
    const [foreign] = (await stranger.list()).gaps;
    const heard = (await twin.lines(second)).length;
    expect(await twin.decide(other, { decision: "ignore", as: "no_answer" })).toBe(204);
    expect(await twin.decide(gap, body(gap, [other.id, foreign!.id]))).toBe(204);
    await settled(t);
    expect((await twin.lines(second)).length).toBe(heard);
    expect((await twin.list("ignored")).gaps).toMatchObject([{ id: other.id, people: 1 }]);
    expect((await stranger.list()).counts.open).toBe(1);
  });
});

test("a conversation that is deleted takes its questions along, and an empty gap is not shown", async () => {
  const twin = await twinOf();
  await twin.ask(newVisitor(), SNOWMOBILE);
  await settled(t);
  const [gap] = (await twin.list()).gaps;
  await asTenant(t.services.db, twin.owner.caller, (tx) =>
    tx.delete(conversations).where(eq(conversations.id, gap!.questions[0]!.conversationId)),
  );
  expect(await twin.list()).toMatchObject({ counts: { open: 0 }, gaps: [] });
  expect(await twin.answer(gap!, ANSWER)).toBe(404);
});
