/** Questions that the twin could not answer: the owner answers once, and all askers get a reply by the usual rules. */
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { Corrections } from "#contract/corrections.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { conversations, gapQuestions, gaps } from "#server/platform/db/schema/conversations.ts";
import { buildDocument } from "#server/test/factories/build-twin.ts";
import { askedTwin, newVisitor, settled } from "#server/test/gaps/asked-twin.ts";
import { ANSWER, prepareGaps, SNOWMOBILE, t, testChat, twinOf } from "#server/test/gaps/gaps-bench.ts";

prepareGaps();

describe("what counts as a gap", () => {
  test("a question without an answer, asked by visitors and by the owner in his test chat, is one gap that says how many visitors asked", async () => {
    const twin = await twinOf();
    await twin.ask(newVisitor(), SNOWMOBILE);
    await twin.ask(newVisitor(), "Подскажите, пожалуйста, во сколько лет можно водить снегоход");
    await testChat(twin, SNOWMOBILE);
    await settled(t);
    const { gaps: open, counts } = await twin.list();
    expect(counts).toEqual({ open: 1, answered: 0, ignored: 0 });
    expect(open).toMatchObject([{ state: "open", question: SNOWMOBILE, people: 2, times: 3, proposal: null }]);
    expect(open[0]!.questions.map(({ platform }) => platform)).toEqual(["test", "web", "web"]);
    expect((await twin.owner.get(`/api/digital-twins/${twin.twinId}/gaps/count`)).json()).toEqual({ open: 1 });
  });

  test("is private to the owner: a colleague, an administrator and a stranger find no such twin", async () => {
    const admin = await t.signUp();
    const { organizationId } = admin.caller;
    const twin = await askedTwin(t, await t.signUp({ role: "user", organizationId }));
    await twin.ask(newVisitor(), SNOWMOBILE);
    const colleague = await t.signUp({ role: "user", organizationId });
    // A colleague's question in his own test chat belongs to him.
    await testChat({ ...twin, owner: colleague }, "Где купить лодку?");
    await settled(t);
    const [gap] = (await twin.list()).gaps;
    expect((await twin.list()).counts.open).toBe(1);
    const url = `/api/digital-twins/${twin.twinId}/gaps`;
    for (const other of [admin, colleague, await t.signUp({ role: "viewer", organizationId }), await t.signUp()]) {
      expect((await other.get(url)).statusCode).toBe(404);
      const decided = await other.put(`${url}/${gap!.id}`, { decision: "ignore", as: "no_answer" });
      expect([403, 404]).toContain(decided.statusCode);
    }
    expect((await twin.list()).counts.open).toBe(1);
  });
});

describe("an answer", () => {
  test("for everybody is known to all from then on, reaches waiting contacts where the twin answers automatically, and raises the readiness", async () => {
    const twin = await twinOf();
    const [first, second] = [newVisitor(), newVisitor()];
    await twin.ask(first, SNOWMOBILE);
    await twin.ask(second, "Подскажите, во сколько лет можно водить снегоход");
    await testChat(twin, "Сколько стоит доставка по Москве?");
    await settled(t);
    const [gap] = (await twin.list()).gaps;
    expect((await twin.list()).readiness).toEqual({ questions: 2, atFirst: 1, now: 1 });
    expect(await twin.answerEverybody(gap!, ANSWER)).toBe(204);
    await settled(t);
    for (const visitor of [first, second]) expect((await twin.lines(visitor)).at(-1)!.text).toContain("с 16 лет");
    const { gaps: answered, readiness, counts, working } = await twin.list("answered");
    expect(counts).toEqual({ open: 0, answered: 1, ignored: 0 });
    expect(working).toBe(false);
    expect(answered[0]).toMatchObject({ answeredBy: "owner", answer: { text: ANSWER, scope: "everybody" } });
    expect(answered[0]!.questions).toMatchObject([
      { told: "sent", answered: true },
      { told: "sent", answered: true },
    ]);
    expect(readiness).toEqual({ questions: 2, atFirst: 1, now: 2 });
    expect(await twin.ask(newVisitor(), SNOWMOBILE)).toContain("с 16 лет");
    // The promise to the contact is fulfilled, so nothing waits for the owner.
    expect(await twin.drafts()).toEqual([]);
    const taught = (await twin.owner.get(`/api/digital-twins/${twin.twinId}/corrections`)).json<Corrections>();
    expect(taught.corrections).toMatchObject([{ kind: "fact", question: gap!.question, text: ANSWER }]);
  });

  test("waits as a draft in place of «не знаю» where the owner approves each reply, and goes back when he withdraws it", async () => {
    const twin = await twinOf();
    await twin.answersBy("draft");
    await twin.ask(newVisitor(), SNOWMOBILE);
    await settled(t);
    const [unknown] = await twin.drafts();
    const [gap] = (await twin.list()).gaps;
    await twin.answer(gap!, ANSWER);
    await settled(t);
    const [draft, ...others] = await twin.drafts();
    expect(others).toEqual([]);
    expect(draft).toMatchObject({ question: SNOWMOBILE, state: "draft", basis: "corrected" });
    expect(draft!.text).toContain("с 16 лет");
    expect(draft!.reason).toContain("в «Пробелах»");
    expect((await twin.list("answered")).gaps[0]!.questions[0]!.told).toBe("draft");
    expect(await twin.decide(gap!, { decision: "reopen" })).toBe(204);
    expect(await twin.drafts()).toMatchObject([{ id: unknown!.id, text: unknown!.text }]);
    expect((await twin.list()).gaps).toMatchObject([{ id: gap!.id, answer: null }]);
    expect((await testChat(twin, SNOWMOBILE)).json().response).not.toContain("16");
  });

  test("is never sent automatically while the owner leads the conversation, and never to a contact who opted out", async () => {
    const twin = await twinOf();
    const [led, gone] = [newVisitor(), newVisitor()];
    for (const visitor of [led, gone]) await twin.ask(visitor, SNOWMOBILE);
    await settled(t);
    const [gap] = (await twin.list()).gaps;
    const [newer, older] = gap!.questions;
    await twin.owner.post(`/api/conversations/${older!.conversationId}/pause`);
    await twin.ask(gone, "СТОП");
    const heard = [await twin.lines(led), await twin.lines(gone)].map(({ length }) => length);
    await twin.answer(gap!, ANSWER);
    await settled(t);
    const [answered] = (await twin.list("answered")).gaps;
    expect(new Map(answered!.questions.map(({ id, told }) => [id, told]))).toEqual(
      new Map([
        [older!.id, "draft"],
        [newer!.id, "unreachable"],
      ]),
    );
    expect([await twin.lines(led), await twin.lines(gone)].map(({ length }) => length)).toEqual(heard);
  });

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

  test("to what only the owner asked in his test chat is for everybody, and decisions that come too late change nothing", async () => {
    const twin = await twinOf();
    await testChat(twin, SNOWMOBILE);
    await settled(t);
    const [gap] = (await twin.list()).gaps;
    expect(await twin.answer(gap!, ANSWER)).toBe(422);
    expect(await twin.answerEverybody(gap!, ANSWER)).toBe(204);
    await settled(t);
    expect(await twin.decide(gap!, { decision: "ignore", as: "no_answer" })).toBe(204);
    expect(await twin.answerEverybody(gap!, "Снегоход можно водить с 18 лет.")).toBe(204);
    const { gaps: answered, counts } = await twin.list("answered");
    expect(counts).toEqual({ open: 0, answered: 1, ignored: 0 });
    expect(answered).toMatchObject([{ answer: { text: ANSWER }, questions: [{ told: "own_chat", answered: true }] }]);
  });

  test("that holds data of a person, or claims to be one, is refused and changes nothing", async () => {
    const twin = await twinOf();
    await twin.ask(newVisitor(), SNOWMOBILE);
    await settled(t);
    const [gap] = (await twin.list()).gaps;
    expect(await twin.answer(gap!, "Спросите [имя]")).toBe(422);
    expect(await twin.answer(gap!, "Я живой человек, а не бот, отвечу сам")).toBe(422);
    expect((await twin.list()).counts).toEqual({ open: 1, answered: 0, ignored: 0 });
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

test("a gap is put aside with its reason, taken back, and a question that asks something else is parted from it", async () => {
  const twin = await twinOf();
  await twin.ask(newVisitor(), SNOWMOBILE);
  await twin.ask(newVisitor(), "Подскажите, во сколько лет можно водить снегоход");
  await settled(t);
  const [gap] = (await twin.list()).gaps;
  expect(await twin.decide(gap!, { decision: "ignore", as: "not_question" })).toBe(204);
  expect((await twin.list("ignored")).gaps).toMatchObject([{ id: gap!.id, ignoredAs: "not_question" }]);
  expect((await twin.list()).readiness.questions).toBe(0);
  expect(await twin.decide(gap!, { decision: "reopen" })).toBe(204);
  const split = (questionId: string) =>
    twin.owner.post(`/api/digital-twins/${twin.twinId}/gaps/${gap!.id}/split`, { questionId });
  expect((await split(gap!.questions[0]!.id)).statusCode).toBe(204);
  expect((await twin.list()).gaps.map(({ times }) => times)).toEqual([1, 1]);
  expect((await split(gap!.questions[1]!.id)).statusCode).toBe(409);
});

test("a gap closes automatically once the twin has learnt the answer elsewhere, and no contact gets a message", async () => {
  const twin = await twinOf();
  await twin.ask(newVisitor(), SNOWMOBILE);
  await settled(t);
  expect((await twin.list()).counts.open).toBe(1);
  await buildDocument(
    twin.owner,
    twin.twinId,
    "Во сколько лет можно водить снегоход? Снегоход можно водить с 16 лет.",
    {
      name: "Снегоходы",
    },
  );
  await settled(t);
  const { gaps: known } = await twin.list("answered");
  expect(known).toMatchObject([{ answeredBy: "knowledge", answer: null, questions: [{ answered: true, told: null }] }]);
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

test("a forgotten contact's words are gone from gaps and from what was taught, and the answer stays for the others who asked", async () => {
  const twin = await twinOf();
  await twin.answersBy("draft");
  const wordings = ["Во сколько лет можно водить снегоход у вас?", SNOWMOBILE];
  for (const text of wordings) await twin.ask(newVisitor(), text);
  await twin.ask(newVisitor(), "Где купить лодку?");
  await settled(t);
  const all = (await twin.list()).gaps;
  expect(all).toHaveLength(2);
  const gap = all.find(({ times }) => times === 2)!;
  const boat = all.find(({ times }) => times === 1)!;
  await twin.answerEverybody({ ...gap, question: wordings[0]! }, ANSWER);
  await twin.answerEverybody(boat, "Лодку можно купить у нас на складе.");
  await settled(t);
  const forget = async (text: string) => {
    const one = [...gap.questions, ...boat.questions].find((question) => question.text === text)!;
    const done = await twin.owner.delete(`/api/conversations/${one.conversationId}/contact`);
    expect(done.statusCode, done.body).toBe(204);
  };
  await forget(wordings[0]!);
  await forget("Где купить лодку?");
  await settled(t);
  const dump = await asTenant(t.services.db, twin.owner.caller, async (tx) =>
    JSON.stringify([
      await tx.select().from(gapQuestions).where(eq(gapQuestions.twinId, twin.twinId)),
      await tx.select().from(gaps).where(eq(gaps.twinId, twin.twinId)),
      (await tx.execute(`select question, rewordings, text from corrections where twin_id = '${twin.twinId}'`)).rows,
    ]),
  );
  expect(dump).not.toContain(wordings[0]);
  expect(dump).not.toContain("лодку?");
  expect(dump).toContain(ANSWER);
  expect((await testChat(twin, SNOWMOBILE)).json().response).toContain("с 16 лет");
});
