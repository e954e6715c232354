import { describe, expect, test } from "vitest";
import { asTenant } from "#server/platform/db/database.ts";
import { newVisitor, settled } from "#server/test/gaps/asked-twin.ts";
import { prepareGaps, SNOWMOBILE, t, testChat, twinOf } from "#server/test/gaps/gaps-bench.ts";

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
