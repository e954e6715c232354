import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Waiting } from "#contract/analytics.ts";
import { asTenant } from "#server/db/database.ts";
import { contacts, conversations, integrations, outbox } from "#server/db/schema.ts";
import { makeThings } from "#server/test/endpoints/make-things.ts";
import { askedTwin, newVisitor, settled } from "#server/test/gaps/asked-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const waitingFor = async (client: TestClient) => (await client.get("/api/dashboard/waiting")).json<Waiting>();

const NOTHING: Waiting = {
  answers: { total: 0, first: [] },
  gaps: { total: 0, first: [] },
  unread: { total: 0, first: [] },
  channels: { total: 0, first: [] },
};

test("whoever may decide is told which answers wait, of which kind, and since when; nobody else is told anything", async () => {
  const admin = await t.signUp();
  const { organizationId } = admin.caller;
  const owner = await t.signUp({ role: "user", organizationId });
  const { approvalId, talkId } = await makeThings(t, owner);
  const { answers } = await waitingFor(owner);
  expect(answers.total).toBe((await owner.get("/api/approvals/count")).json().waiting);
  const draft = answers.first.find(({ id }) => id === approvalId);
  expect(draft).toMatchObject({ conversationId: talkId, kind: "draft", platform: "telegram", mayTeach: false });
  // Whole, because it is sent from where it is read.
  const long = "Ответ. ".repeat(100);
  await asTenant(t.services.db, owner.caller, (tx) =>
    tx.update(outbox).set({ text: long }).where(eq(outbox.id, approvalId)),
  );
  expect((await waitingFor(owner)).answers.first.find(({ id }) => id === approvalId)?.text).toBe(long);
  await asTenant(t.services.db, owner.caller, (tx) =>
    tx.update(outbox).set({ text: draft!.text }).where(eq(outbox.id, approvalId)),
  );
  expect(answers.first.map(({ since }) => since)).toEqual(answers.first.map(({ since }) => since).toSorted());
  expect((await waitingFor(admin)).answers).toEqual(answers);
  for (const other of [
    await t.signUp({ role: "user", organizationId }),
    await t.signUp({ role: "viewer", organizationId }),
    await t.signUp(),
  ]) {
    expect(await waitingFor(other)).toEqual(NOTHING);
  }

  const change = (values: Partial<typeof outbox.$inferInsert>) =>
    asTenant(t.services.db, owner.caller, (tx) => tx.update(outbox).set(values).where(eq(outbox.id, approvalId)));
  const kind = async () => (await waitingFor(owner)).answers.first.find(({ id }) => id === approvalId)?.kind;
  await change({ text: "", citations: { basis: "unknown" } });
  expect(await kind()).toBe("question");
  // No model could be asked: there is nothing to send but what the owner writes.
  await change({ citations: null });
  expect(await kind()).toBe("question");
  await change({ state: "unknown", text: "Ответ" });
  expect(await kind()).toBe("undelivered");
  await change({ state: "sent" });
  expect(await kind()).toBeUndefined();
});

test("unread messages wait only where the owner has taken the conversation over", async () => {
  const owner = await t.signUp();
  const { talkId } = await makeThings(t, owner);
  const change = (values: Partial<typeof conversations.$inferInsert>) =>
    asTenant(t.services.db, owner.caller, (tx) =>
      tx.update(conversations).set(values).where(eq(conversations.id, talkId)),
    );
  await change({ unread: 2, pausedUntil: null, lastMessage: "x".repeat(5000) });
  expect((await waitingFor(owner)).unread).toEqual({ total: 0, first: [] });
  await change({ pausedUntil: new Date(Date.now() + 60_000) });
  const { unread } = await waitingFor(owner);
  expect(unread).toMatchObject({ total: 1, first: [{ conversationId: talkId, unread: 2 }] });
  expect(unread.first[0]!.lastMessage).toHaveLength(200);
  await change({ pausedUntil: new Date(Date.now() - 1000) });
  expect((await waitingFor(owner)).unread.total).toBe(0);
});

test("a channel without connection waits with the reason, one that the owner has paused does not", async () => {
  const owner = await t.signUp();
  const { integrationId } = await makeThings(t, owner);
  const change = (values: Partial<typeof integrations.$inferInsert>) =>
    asTenant(t.services.db, owner.caller, (tx) =>
      tx.update(integrations).set(values).where(eq(integrations.id, integrationId)),
    );
  const channels = async () => (await waitingFor(owner)).channels.first.filter(({ id }) => id === integrationId);
  await change({ status: "active", trouble: null, sendFailures: 0 });
  expect(await channels()).toEqual([]);
  await change({ trouble: "Telegram не отвечает" });
  expect(await channels()).toMatchObject([
    { connection: "trouble", reason: "Telegram не отвечает", createdAt: expect.stringMatching(/Z$/) },
  ]);
  await change({ status: "error", statusReason: "Токен отозван" });
  expect(await channels()).toMatchObject([{ connection: "action", reason: "Токен отозван" }]);
  await change({ status: "inactive" });
  expect(await channels()).toEqual([]);
});

// Last: what visitors ask leaves jobs that wait for minutes.
test("a question that the twin did not know waits once: in its conversation, and among the gaps once somebody else asks it too", async () => {
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
  // Two contacts who are one person are nobody else.
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

  // On its way or being learnt from, an answer is no gap for a moment either.
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
  // The page of gaps has both, so the dashboard says that its one is not all.
  expect((await waitingFor(owner)).gaps.first).toMatchObject([{ questions: 1, areMore: true }]);
  await owner.post(`/api/approvals/${written.id}/reject`);

  // Rejected without a word, it is no answer's matter any more.
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
