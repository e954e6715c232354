/** What an owner teaches in one person's conversation is told to nobody else until he names everybody in an act of its own. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Approval } from "#contract/conversations/approvals.ts";
import type { Correction, Corrections, Proposal } from "#contract/corrections.ts";
import type { TwinVersion } from "#contract/versions.ts";
import { asTenant } from "#server/db/database.ts";
import { contacts, conversations, outbox, replyFeedback } from "#server/db/schema.ts";
import { type AskedTwin, askedTwin, newVisitor, settled } from "../gaps/asked-twin.ts";
import { type TestApp, testApp } from "../test-app.ts";

/** Without a name, a number or any other mark by which a list of words could know them for private. */
const PRIVATE: readonly (readonly [asked: string, said: string])[] = [
  ["Вы правда бросили выпивать?", "Закодировался весной, держусь из последних сил"],
  ["Куда вы пропали осенью?", "Лежал в наркологии, соседям сказал про отпуск"],
  ["Почему вы съехали из дома?", "Меня застали с другой и выставили вещи"],
  ["Где сейчас живёт ваш брат?", "Сбежал из колонии и прячется на нашей даче"],
  ["Откуда у вас новая машина?", "Купил на откат от подрядчика"],
  ["Зачем вам вторая квартира?", "Там встречаемся тайком, дома не догадываются"],
  ["Кто закрыл ваши долги?", "Мать заложила бабушкино кольцо и плачет"],
  ["Почему вы сменили веру?", "Попал в секту, отдаю им половину зарплаты"],
  ["Почему отменили свадьбу?", "Невеста узнала про внебрачного ребёнка"],
  ["Что у вас с лицом?", "Побил собственный сын, полиции не признаюсь"],
];
const [QUESTION, ANSWER] = PRIVATE[0]!;

let t: TestApp;
let twin: AskedTwin;
let asker: string;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  twin = await askedTwin(t, await t.signUp());
  asker = newVisitor();
});

const corrections = async () =>
  (await twin.owner.get(`/api/digital-twins/${twin.twinId}/corrections`)).json<Corrections>();
const approve = (id: string, query: string) => twin.owner.post(`/api/approvals/${id}/approve${query}`);

/** The owner's answer, put into the newest draft that waits for it. */
async function answered(question: string, text: string): Promise<Approval> {
  const draft = (await twin.drafts()).findLast((one) => one.question === question)!;
  expect((await twin.owner.put(`/api/approvals/${draft.id}`, { text })).statusCode).toBe(200);
  return draft;
}

/** The words of what was said that a reply repeats, those of the question apart. */
function repeated(reply: string, [asked, said]: (typeof PRIVATE)[number]): string[] {
  const words = (text: string): string[] => text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  const held = new Set(words(reply));
  return words(said).filter((word) => held.has(word) && !words(asked).includes(word));
}

async function expectToldOnlyToAsker(visitor = asker) {
  expect(await twin.ask(newVisitor(), QUESTION)).not.toContain(ANSWER);
  const asked = await twin.owner.post("/api/ai-generate", { twinId: twin.twinId, message: QUESTION });
  expect(asked.json().response).not.toContain(ANSWER);
  expect(await twin.ask(visitor, QUESTION)).toContain(ANSWER);
}

const expectToldToEverybody = async () => expect(await twin.ask(newVisitor(), QUESTION)).toContain(ANSWER);

describe("an answer to a question that waited for the owner", () => {
  test("that is learnt is the asker's alone: of ten private answers a stranger who asks the same gets nothing", async () => {
    const askers = PRIVATE.map(() => newVisitor());
    for (const [at, [asked]] of PRIVATE.entries()) await twin.ask(askers[at]!, asked);
    for (const [asked, said] of PRIVATE)
      expect((await approve((await answered(asked, said)).id, "?teach=contact")).statusCode).toBe(200);
    await settled(t);
    const taught = (await corrections()).corrections;
    expect(taught.map(({ scope }) => scope)).toEqual(PRIVATE.map(() => "contact"));
    for (const exchange of PRIVATE) expect(repeated(await twin.ask(newVisitor(), exchange[0]), exchange)).toEqual([]);
    for (const [at, [asked, said]] of PRIVATE.entries()) expect(await twin.ask(askers[at]!, asked)).toContain(said);
  });

  test("is learnt for the asker alone where a program still says teach=1, and where a row says so from before the update", async () => {
    await twin.ask(asker, QUESTION);
    await approve((await answered(QUESTION, ANSWER)).id, "?teach=1");
    await settled(t);
    expect((await corrections()).corrections).toMatchObject([{ scope: "contact" }]);
    await expectToldOnlyToAsker();

    const [other, question, said] = [newVisitor(), ...PRIVATE[1]!];
    await twin.ask(other, question);
    const { id, conversationId } = await answered(question, said);
    const { organizationId: orgId, userId } = twin.owner.caller;
    await asTenant(t.services.db, twin.owner.caller, async (tx) => {
      await tx.update(outbox).set({ state: "pending", teaches: true, decidedBy: userId }).where(eq(outbox.id, id));
      const kept = {
        orgId,
        twinId: twin.twinId,
        outboxId: id,
        userId,
        correction: said,
        secrecy: "organization" as const,
      };
      await tx.insert(replyFeedback).values(kept);
      await t.services.jobs.enqueue(tx, "send-outbox", { organizationId: orgId, userId, conversationId });
    });
    await settled(t);
    expect(repeated(await twin.ask(newVisitor(), question), PRIVATE[1]!)).toEqual([]);
    expect(await twin.ask(other, question)).toContain(said);
  });

  test("is learnt for everybody by the act that names them, which is refused where a person is named, before anything is sent", async () => {
    await twin.ask(asker, QUESTION);
    const named = await answered(QUESTION, "Спросите Машу, она расскажет");
    const refused = await approve(named.id, "?teach=everybody");
    expect([refused.statusCode, refused.json().code]).toEqual([422, "personal_correction"]);
    expect(await twin.drafts()).toHaveLength(1);
    expect((await approve(named.id, "?teach=someone")).statusCode).toBe(400);
    await twin.owner.put(`/api/approvals/${named.id}`, { text: ANSWER });
    expect((await approve(named.id, "?teach=everybody")).statusCode).toBe(200);
    await settled(t);
    await expectToldToEverybody();
  });

  test("says to the twin's owner alone how many people have asked the same, a person on two channels counted once", async () => {
    const admin = await t.signUp();
    const { organizationId } = admin.caller;
    twin = await askedTwin(t, await t.signUp({ role: "user", organizationId }));
    for (const visitor of [asker, newVisitor(), newVisitor()]) await twin.ask(visitor, QUESTION);
    await settled(t);
    expect((await twin.drafts()).map(({ people }) => people)).toEqual([3, 3, 3]);
    const [one, other] = await twin.drafts();
    await asTenant(t.services.db, twin.owner.caller, async (tx) => {
      const personId = "00000000-0000-4000-8000-000000000001";
      for (const { conversationId } of [one!, other!]) {
        const [talk] = await tx.select().from(conversations).where(eq(conversations.id, conversationId));
        await tx.update(contacts).set({ personId }).where(eq(contacts.id, talk!.contactId!));
      }
    });
    expect((await twin.drafts()).map(({ people }) => people)).toEqual([2, 2, 2]);
    expect((await twin.list()).gaps).toMatchObject([{ people: 2, times: 3 }]);
    const seen = (await admin.get("/api/approvals")).json<Approval[]>();
    expect(seen).toHaveLength(3);
    expect(seen.every((draft) => !("people" in draft))).toBe(true);
  });
});

describe("the owner's words that wait among the corrections", () => {
  const accept = (body: object) => twin.owner.post(`/api/digital-twins/${twin.twinId}/corrections`, body);

  async function waiting() {
    await twin.ask(asker, QUESTION);
    await approve((await answered(QUESTION, ANSWER)).id, "");
    await settled(t);
    const [one] = (await corrections()).waiting;
    const { from, correction } = one!;
    const proposed = await twin.owner.post(`/api/digital-twins/${twin.twinId}/corrections/proposal`, {
      from,
      correction,
    });
    const { suggested: kind, question, text, rules, ...proposal } = proposed.json<Proposal>();
    return { proposal, lesson: { from, kind, question, text, rules } };
  }

  test("teach nobody before they are accepted, and are proposed and accepted for the contact alone", async () => {
    const { proposal, lesson } = await waiting();
    expect(await twin.ask(newVisitor(), QUESTION)).not.toContain(ANSWER);
    expect(proposal.scopes).toEqual({ fact: "contact", style: "contact", example: "contact" });
    // Nothing in the words is known for private, and still they are the contact's.
    expect(proposal.personal).toBeNull();
    expect((await accept(lesson)).json()).toMatchObject({ scope: "contact" });
    await expectToldOnlyToAsker();
  });

  test("are proposed with how many people have asked the same, and taught to everybody once they are named", async () => {
    await twin.ask(newVisitor(), QUESTION);
    await twin.ask(newVisitor(), `Подскажите, ${QUESTION.toLowerCase()}`);
    const { proposal, lesson } = await waiting();
    expect(proposal.people).toBe(3);
    await accept({ ...lesson, scope: "everybody" });
    await expectToldToEverybody();
  });

  test("that everybody is told are narrowed with one press, and no earlier version brings them back for all", async () => {
    const { lesson } = await waiting();
    const wide = (await accept({ ...lesson, scope: "everybody" })).json<Correction>();
    const path = `/api/digital-twins/${twin.twinId}`;
    expect((await twin.owner.put(`${path}/corrections/${wide.id}`, { scope: "contact" })).json()).toMatchObject({
      ...{ id: wide.id, scope: "contact" },
    });
    await expectToldOnlyToAsker();
    expect((await twin.owner.put(`${path}/corrections/${wide.id}`, { scope: "everybody" })).statusCode).toBe(400);
    await twin.owner.delete(`${path}/corrections/${wide.id}`);
    const [version] = (await twin.owner.get(`${path}/versions`)).json<TwinVersion[]>();
    await twin.owner.post(`${path}/versions/${version!.id}/restore`);
    expect(await twin.ask(newVisitor(), QUESTION)).not.toContain(ANSWER);
  });

  test("keep their scope when they are changed, but a habit for all that becomes an answer is the contact's", async () => {
    const { lesson } = await waiting();
    const rules = [{ habit: "exclamation" as const }];
    const style = (await accept({ ...lesson, kind: "style", rules, scope: "everybody" })).json<Correction>();
    const change = async (id: string, changed: object) =>
      (
        await twin.owner.put(`/api/digital-twins/${twin.twinId}/corrections/${id}`, { lesson: changed })
      ).json<Correction>();
    const { from: _, ...fields } = lesson;
    const kept = await change(style.id, { ...fields, kind: "style", rules });
    expect(kept.scope).toBe("everybody");
    expect((await change(kept.id, { ...fields, kind: "example" })).scope).toBe("contact");
    await expectToldOnlyToAsker();
  });
});

describe("an answer in «Пробелы»", () => {
  const open = async () => (await twin.list()).gaps;

  test("is told to the one person who asked, also to nobody else who asks later, until the owner names everybody", async () => {
    await twin.ask(asker, QUESTION);
    await settled(t);
    expect(await twin.answer((await open())[0]!, ANSWER)).toBe(204);
    await settled(t);
    expect((await twin.lines(asker)).at(-1)!.text).toContain(ANSWER);
    // He may try it in his test chat: that nobody else is told is as he has decided, and no question again.
    await twin.owner.post("/api/ai-generate", { twinId: twin.twinId, message: QUESTION });
    await settled(t);
    expect((await twin.list("answered")).gaps).toMatchObject([{ answer: { scope: "contact" }, people: 1 }]);
    await expectToldOnlyToAsker();
    await settled(t);
    // Somebody else has asked since: it is a question again, and the owner sees whose answer there is.
    const [again] = await open();
    expect(again).toMatchObject({ people: 2, answer: { text: ANSWER, scope: "contact" } });
    expect(await twin.answerEverybody(again!, ANSWER)).toBe(204);
    await settled(t);
    await expectToldToEverybody();
    expect((await corrections()).corrections).toMatchObject([{ scope: "everybody" }]);
  });

  test("is told to each of several who asked, and a question that only the owner has tried is answered for all or not at all", async () => {
    const second = newVisitor();
    await twin.ask(asker, QUESTION);
    await twin.ask(second, `Скажите, ${QUESTION.toLowerCase()}`);
    await settled(t);
    expect(await twin.answer((await open())[0]!, ANSWER)).toBe(204);
    await settled(t);
    for (const visitor of [asker, second]) expect((await twin.lines(visitor)).at(-1)!.text).toContain(ANSWER);
    await expectToldOnlyToAsker(second);

    const [, other] = PRIVATE;
    await twin.owner.post("/api/ai-generate", { twinId: twin.twinId, message: other![0] });
    await settled(t);
    const own = (await open()).find(({ question }) => question === other![0])!;
    expect(own.people).toBe(0);
    expect(await twin.answer(own, other![1])).toBe(422);
    expect(await twin.answerEverybody(own, other![1])).toBe(204);
  });

  test("closes where whoever asked has been answered for himself, and stays open for the others who wait", async () => {
    await twin.ask(asker, QUESTION);
    await twin.ask(newVisitor(), PRIVATE[2]![0]);
    await twin.ask(newVisitor(), PRIVATE[2]![0]);
    await settled(t);
    await approve((await answered(QUESTION, ANSWER)).id, "?teach=contact");
    await approve((await answered(...PRIVATE[2]!)).id, "?teach=contact");
    await settled(t);
    expect((await open()).map(({ question }) => question)).toEqual([PRIVATE[2]![0]]);
  });

  test("leaves nothing of a forgotten asker's words with the others who were told the same", async () => {
    const wordings = [`Правда ли, что ${QUESTION.toLowerCase()}`, QUESTION];
    const [gone, left] = [asker, newVisitor()];
    await twin.ask(gone, wordings[0]!);
    await twin.ask(left, wordings[1]!);
    await settled(t);
    const [gap] = await open();
    expect(gap!.people).toBe(2);
    await twin.decide(gap!, { decision: "answer", question: wordings[0], text: ANSWER });
    await settled(t);
    const theirs = gap!.questions.find(({ text }) => text === wordings[0])!;
    await twin.owner.delete(`/api/conversations/${theirs.conversationId}/contact`);
    const kept = (await corrections()).corrections;
    expect(kept).toMatchObject([{ question: wordings[1], rewordings: [], scope: "contact" }]);
    expect((await twin.list("answered")).gaps).toMatchObject([{ answer: { text: ANSWER } }]);
    expect(await twin.ask(left, QUESTION)).toContain(ANSWER);
  });
});
