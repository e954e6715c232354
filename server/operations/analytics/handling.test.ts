import { afterAll, beforeAll, expect, test } from "vitest";
import type { Analytics, Handling } from "#contract/report.ts";
import { usageDay } from "#server/accounts/twins/usage.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { outbox } from "#server/platform/db/schema/conversations.ts";
import { buildConversation } from "#server/test/factories/build-rows.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";
import { loadHandling } from "./handling.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const DAY_MS = 24 * 3600_000;
const NOTHING: Handling = { alone: 0, approved: 0, changed: 0, unknown: 0, byOwner: 0 };

type Sent = Partial<typeof outbox.$inferInsert> & { ago?: number };

async function sentBy(client: TestClient, twinId: string, messages: readonly Sent[]) {
  const orgId = client.caller.organizationId;
  await asTenant(t.services.db, client.caller, async (tx) => {
    const [channel] = await tx
      .insert(integrations)
      .values({ orgId, twinId, platform: "telegram", credentials: Buffer.alloc(1) })
      .returning({ id: integrations.id });
    const integrationId = channel!.id;
    const { id: conversationId } = await buildConversation(tx, { orgId, twinId }, { integrationId });
    await tx.insert(outbox).values(
      messages.map(({ ago = 0, ...changes }) => {
        const at = new Date(Date.now() - ago * DAY_MS);
        const answer = {
          question: "Когда?",
          text: "Завтра",
          state: "sent" as const,
          secrecy: "organization" as const,
          confidence: 0.9,
        };
        const place = { orgId, integrationId, conversationId };
        return { ...place, ...answer, citations: { basis: "knowledge" }, createdAt: at, sentAt: at, ...changes };
      }),
    );
  });
}

const handling = async (client: TestClient, query = "") =>
  (await client.get(`/api/analytics${query}`)).json<Analytics>().handling;

test("answers are counted by handling: the twin alone, approved, edited before, without an answer, by the owner", async () => {
  const ann = await t.signUp();
  const twinId = await buildTwin(ann);
  const decidedBy = ann.caller.userId;
  expect(await handling(ann)).toEqual(NOTHING);
  await sentBy(ann, twinId, [
    {},
    {},
    { ago: 6 },
    { citations: null },
    // The answer says that the twin does not know.
    { citations: { basis: "unknown" } },
    { decidedBy },
    { decidedBy, original: "Завтра" },
    { decidedBy, original: "Послезавтра" },
    // The owner's own words, also when the twin had asked him for them.
    { decidedBy, author: "owner", confidence: null, question: "", citations: null },
    { decidedBy, original: "", confidence: null, citations: { basis: "unknown" } },
    // None of these were sent in the period.
    { ago: 7 },
    { state: "draft", sentAt: null },
    { state: "cancelled", decidedBy, sentAt: null },
    { state: "unknown", sentAt: null },
  ]);
  expect(await handling(ann)).toEqual({ alone: 4, approved: 3, changed: 1, unknown: 1, byOwner: 2 });
  expect(await handling(ann, "?days=30")).toMatchObject({ alone: 5 });
});

test("a draft counts on the day on which it was sent, however long it had waited", async () => {
  const ann = await t.signUp();
  const twinId = await buildTwin(ann);
  const waited = new Date(Date.now() - 20 * DAY_MS);
  await sentBy(ann, twinId, [{ decidedBy: ann.caller.userId, createdAt: waited }]);
  expect(await handling(ann)).toEqual({ ...NOTHING, approved: 1 });
});

test("test chats and other organisations' answers are excluded, and the figures can be limited to one twin", async () => {
  const [ann, eve] = [await t.signUp(), await t.signUp()];
  const [first, second] = [await buildTwin(ann), await buildTwin(ann)];
  await sentBy(eve, await buildTwin(eve), [{}, {}, {}]);
  await ann.post("/api/ai-generate", { twinId: first, message: "Привет!" });
  expect(await handling(ann)).toEqual(NOTHING);
  await sentBy(ann, first, [{}, {}]);
  await sentBy(ann, second, [{}]);
  expect(await handling(ann)).toMatchObject({ alone: 3 });
  expect(await handling(ann, `?twinId=${first}`)).toMatchObject({ alone: 2 });
  expect(await handling(ann, `?twinId=${second}`)).toMatchObject({ alone: 1 });
  expect(await handling(eve, `?twinId=${first}`)).toEqual(NOTHING);
});

test("of very many messages the latest are counted", async () => {
  const ann = await t.signUp();
  await sentBy(ann, await buildTwin(ann), [{ ago: 2, decidedBy: ann.caller.userId }, { ago: 1 }, {}]);
  const counted = await asTenant(t.services.db, ann.caller, (tx) =>
    loadHandling(tx, ann.caller, { first: usageDay(new Date(Date.now() - 6 * DAY_MS)) }, 2),
  );
  expect(counted).toEqual({ ...NOTHING, alone: 2 });
});
