import { afterAll, beforeAll, expect, test } from "vitest";
import type { ActivityEntry } from "#contract/analytics.ts";
import { countAnswer } from "#server/accounts/twins/usage.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { buildConversation } from "#server/test/factories/build-rows.ts";
import { TWIN } from "#server/test/factories/twin-input.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

async function house() {
  const admin = await t.signUp();
  const { organizationId } = admin.caller;
  const owner = await t.signUp({ organizationId, role: "user" });
  const colleague = await t.signUp({ organizationId, role: "user" });
  const twin = (await owner.post("/api/digital-twins", TWIN)).json();
  return { admin, owner, colleague, twin: { id: twin.id as string, name: twin.name as string } };
}

const feed = async (client: TestClient): Promise<string[]> =>
  ((await client.get("/api/activity/recent")).json() as ActivityEntry[]).map((entry) => entry.description);

test("what a member asks in a test chat is shown to nobody else, whoever owns the twin", async () => {
  const { admin, owner, colleague, twin } = await house();
  const asked = await colleague.post("/api/ai-generate", {
    twinId: twin.id,
    message: "Сколько получает мой начальник?",
  });
  expect(asked.statusCode, asked.body).toBe(200);
  expect(await feed(colleague)).toContain("Ответ на «Сколько получает мой начальник?»");
  for (const other of [admin, owner]) {
    const shown = await feed(other);
    expect(shown).toContain("Ответ двойника");
    expect(shown.join()).not.toContain("начальник");
  }
  await colleague.delete(`/api/conversations/${asked.json().conversationId}`);
  expect((await feed(colleague)).join()).not.toContain("начальник");
});

test("a contact's question is shown to those who may read the conversation", async () => {
  const { owner, colleague, twin } = await house();
  await asTenant(t.services.db, owner.caller, async (tx) => {
    const place = { orgId: owner.caller.organizationId, twinId: twin.id };
    const talk = await buildConversation(tx, place, { participantName: "Ира" });
    const answer = { question: "Где мой заказ?", conversationId: talk.id, confidence: 1, durationMs: 5 };
    await countAnswer(tx, owner.caller, twin.id, answer);
  });
  const inbox = (await colleague.get("/api/conversations")).json() as unknown[];
  expect(inbox).toHaveLength(1);
  expect(await feed(colleague)).toContain("Ответ на «Где мой заказ?»");
});

test("a question that belongs to no conversation, and whose correspondence was added, is the twin's owner's to know", async () => {
  const { admin, owner, colleague, twin } = await house();
  await asTenant(t.services.db, owner.caller, (tx) =>
    countAnswer(tx, owner.caller, twin.id, {
      question: "Сколько стоит аборт?",
      conversationId: null,
      confidence: 1,
      durationMs: 5,
    }),
  );
  const added = await owner.post("/api/conversations/upload", {
    digitalTwinId: twin.id,
    platform: "telegram",
    participants: ["Доктор Орлов"],
    messages: [
      { role: "user", content: "Приходите в среду" },
      { role: "assistant", content: "Хорошо, буду" },
    ],
  });
  expect(added.statusCode, added.body).toBe(201);
  expect((await feed(owner)).join()).toMatch(/Доктор Орлов.*аборт/);
  for (const other of [admin, colleague]) {
    const shown = await feed(other);
    expect(shown).toEqual(
      expect.arrayContaining(["Ответ двойника", "Добавлена переписка", expect.stringContaining("«Анна»")]),
    );
    expect(shown.join()).not.toMatch(/аборт|Орлов/);
  }
});
