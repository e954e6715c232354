import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Waiting } from "#contract/analytics.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import { prepareWaiting, t, waitingFor } from "#server/test/analytics/waiting-bench.ts";
import { makeThings } from "#server/test/endpoints/make-things.ts";

prepareWaiting();

const NOTHING: Waiting = {
  answers: { total: 0, first: [] },
  acts: { total: 0, first: [] },
  gaps: { total: 0, first: [] },
  unread: { total: 0, first: [] },
  channels: { total: 0, first: [] },
};

test("members who may decide see which answers wait, of which kind, and since when; other members see nothing", async () => {
  const admin = await t.signUp();
  const { organizationId } = admin.caller;
  const owner = await t.signUp({ role: "user", organizationId });
  const { approvalId, talkId } = await makeThings(t, owner);
  const { answers } = await waitingFor(owner);
  expect(answers.total).toBe((await owner.get("/api/approvals/count")).json().waiting);
  const draft = answers.first.find(({ id }) => id === approvalId);
  expect(draft).toMatchObject({ conversationId: talkId, kind: "draft", platform: "telegram", mayTeach: false });
  // The answer is complete, because it is sent from the dashboard.
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
  // No model could be asked, so the owner must write the answer.
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

test("acts wait for those who may change their twin: to be decided, and to be looked at", async () => {
  const owner = await t.signUp({ role: "user" });
  const { organizationId } = owner.caller;
  const { actId, unknownActId } = await makeThings(t, owner);
  const { acts } = await waitingFor(owner);
  expect(acts.total).toBe(2);
  expect(acts.first.map(({ id, state }) => ({ id, state }))).toEqual(
    expect.arrayContaining([
      { id: actId, state: "waiting-owner" },
      { id: unknownActId, state: "unknown" },
    ]),
  );
  expect(acts.first.find(({ id }) => id === actId)).toMatchObject({
    title: expect.any(String),
    about: expect.any(String),
  });
  for (const role of ["user", "viewer"] as const) {
    const other = await t.signUp({ role, organizationId });
    expect((await waitingFor(other)).acts).toEqual({ total: 0, first: [] });
  }
  expect((await waitingFor(await t.signUp({ organizationId }))).acts.total).toBe(2);
});
