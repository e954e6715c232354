/** What an owner teaches in one person's conversation is used for no other contact until he publishes it in a separate step. */
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { asTenant } from "#server/platform/db/database.ts";
import { outbox, replyFeedback } from "#server/platform/db/schema/conversations.ts";
import { newVisitor, settled } from "../gaps/asked-twin.ts";
import {
  ANSWER,
  answered,
  approve,
  asker,
  corrections,
  expectToldOnlyToAsker,
  expectToldToEverybody,
  PRIVATE,
  prepareTaughtAnswers,
  QUESTION,
  repeated,
  t,
  twin,
} from "./taught-answers-bench.ts";

prepareTaughtAnswers();

describe("an answer to a question that waited for the owner", () => {
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

  test("is published by the separate act, which is refused where a person is named, before anything is sent", async () => {
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
});

describe("an answer in «Пробелы»", () => {
  const open = async () => (await twin.list()).gaps;

  test("is told to the one person who asked, also to nobody else who asks later, until the owner names everybody", async () => {
    await twin.ask(asker, QUESTION);
    await settled(t);
    expect(await twin.answer((await open())[0]!, ANSWER)).toBe(204);
    await settled(t);
    expect((await twin.lines(asker)).at(-1)!.text).toContain(ANSWER);
    // He may try it in his test chat: the answer stays private as he decided, and the question is not asked again.
    await twin.owner.post("/api/ai-generate", { twinId: twin.twinId, message: QUESTION });
    await settled(t);
    expect((await twin.list("answered")).gaps).toMatchObject([{ answer: { scope: "contact" }, people: 1 }]);
    await expectToldOnlyToAsker();
    await settled(t);
    // Another contact has asked since: it is a question again, and the owner sees whose answer there is.
    const [again] = await open();
    expect(again).toMatchObject({ people: 2, answer: { text: ANSWER, scope: "contact" } });
    expect(await twin.answerEverybody(again!, ANSWER)).toBe(204);
    await settled(t);
    await expectToldToEverybody();
    expect((await corrections()).corrections).toMatchObject([{ scope: "everybody" }]);
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
