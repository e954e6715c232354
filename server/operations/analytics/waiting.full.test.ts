import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { asTenant } from "#server/platform/db/database.ts";
import { outbox } from "#server/platform/db/schema/conversations.ts";
import { contacts } from "#server/platform/db/schema/knowledge.ts";
import { prepareWaiting, t, waitingFor } from "#server/test/analytics/waiting-bench.ts";
import { askedTwin, newVisitor, settled } from "#server/test/gaps/asked-twin.ts";

prepareWaiting();

// This test comes last, because visitors' questions leave jobs that wait for minutes.
test("a question that the twin did not know waits once: in its conversation, and among the gaps once another contact asks it too", async () => {
  const owner = await t.signUp();
  const twin = await askedTwin(t, owner);
  const question = "Во сколько лет можно водить снегоход?";
  await twin.ask(newVisitor(), question);
  await settled(t);
  const [open] = (await twin.list()).gaps;
  const alone = await waitingFor(owner);
  expect(alone.answers).toMatchObject({ total: 1, first: [{ kind: "question", question, text: "", mayTeach: true }] });
  expect(alone.gaps).toEqual({ total: 0, first: [] });

  await twin.ask(newVisitor(), question);
  await settled(t);
  const shared = await waitingFor(owner);
  expect(shared.answers).toEqual({ total: 0, first: [] });
  expect(shared.gaps).toMatchObject({ total: 1, first: [{ gapId: open!.id, question, questions: 1, areMore: false }] });
  // Two contacts merged into one person do not count as two.
  const person = (personId: string | null) =>
    asTenant(t.services.db, owner.caller, (tx) =>
      tx.update(contacts).set({ personId }).where(eq(contacts.twinId, twin.twinId)),
    );
  await person(randomUUID());
  expect(await waitingFor(owner)).toMatchObject({ answers: { total: 2 }, gaps: { total: 0 } });
  expect((await twin.list()).gaps).toMatchObject([{ id: open!.id, people: 1, times: 2 }]);
  await person(null);
  expect((await twin.list()).gaps).toMatchObject([{ id: open!.id, people: 2, times: 2 }]);
  // Each of them still waits in its conversation.
  expect(await twin.drafts()).toHaveLength(2);

  // An answer being sent or learnt does not become a gap for a moment.
  const meanwhile = "Сколько стоит час катания?";
  await twin.ask(newVisitor(), meanwhile);
  await settled(t);
  const written = (await twin.drafts()).find((one) => one.question === meanwhile)!;
  const gapsWhile = async (values: Partial<typeof outbox.$inferInsert>) => {
    await asTenant(t.services.db, owner.caller, (tx) => tx.update(outbox).set(values).where(eq(outbox.id, written.id)));
    return (await waitingFor(owner)).gaps.first[0]?.questions;
  };
  expect(await gapsWhile({ state: "sending", teaches: true })).toBe(1);
  expect(await gapsWhile({ state: "sent", sentAt: new Date() })).toBe(1);
  expect(await gapsWhile({ sentAt: new Date(Date.now() - 120_000) })).toBe(2);
  expect(await gapsWhile({ state: "draft", teaches: false, sentAt: null })).toBe(1);
  // The page of gaps has both, so the dashboard says that there are more.
  expect((await waitingFor(owner)).gaps.first).toMatchObject([{ questions: 1, areMore: true }]);
  await owner.post(`/api/approvals/${written.id}/reject`);

  // Rejected without a text, the question becomes a gap.
  const other = "Где взять напрокат снегоступы?";
  await twin.ask(newVisitor(), other);
  await settled(t);
  const draft = (await twin.drafts()).find((one) => one.question === other)!;
  expect((await waitingFor(owner)).answers.first.map(({ id }) => id)).toEqual([draft.id]);
  await owner.post(`/api/approvals/${draft.id}/reject`);
  const rejected = await waitingFor(owner);
  expect(rejected.answers.total).toBe(0);
  expect(rejected.gaps.first).toMatchObject([{ questions: 3 }]);
});
