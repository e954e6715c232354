/** A draft shows the owner's own past replies to similar messages, and other members do not see them. */
import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Approval, PastReply } from "#contract/conversations/approvals.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { conversationMessages, outbox } from "#server/platform/db/schema/conversations.ts";
import { buildConversation } from "#server/test/factories/build-rows.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type Letter, storeLetters } from "#server/test/factories/stored-letters.ts";
import { type TestApp, type TestClient, testApp } from "#server/test/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const ASKED = "Сколько стоит доставка в область?";

/** Creates a draft for Олег, by an owner with this history. */
async function draft(letters: readonly Letter[], question = ASKED) {
  const client = await t.signUp({ role: "user", organizationId: (await t.signUp()).caller.organizationId });
  const twinId = await buildTwin(client);
  const bot = { digitalTwinId: twinId, platform: "telegram", apiKey: `7:${randomUUID()}` };
  const integrationId: string = (await client.post("/api/integrations/create", bot)).json().id;
  const { organizationId: orgId } = client.caller;
  const id = await asTenant(t.services.db, client.caller, async (tx) => {
    const contactIds = await storeLetters(tx, { ...client.caller, twinId }, letters);
    const who = { integrationId, participantName: "Олег", contactId: contactIds.Олег ?? null };
    const talk = await buildConversation(tx, { orgId, twinId }, who);
    const [waiting] = await tx
      .insert(outbox)
      .values({
        ...{ orgId, integrationId, conversationId: talk.id, question, text: "Уточню и напишу" },
        secrecy: "organization",
        ...{ state: "draft", nextAttemptAt: new Date() },
      })
      .returning({ id: outbox.id });
    return waiting!.id;
  });
  const seenBy = (who: TestClient) => who.get(`/api/past-replies/${id}`);
  return { client, orgId, id, seenBy, seen: async () => (await seenBy(client)).json<PastReply[]>() };
}

const letter = (name: string, incoming: string, reply: string, audience: Letter["audience"] = "own"): Letter => ({
  name,
  incoming,
  reply,
  audience,
});

test("shows up to three distinct replies to similar messages, to whom each was written, and personal data in each", async () => {
  const { seen } = await draft([
    letter(
      "Мария Петрова",
      "Сколько стоит доставка в область?",
      "Мария, 700 рублей, курьер позвонит на +7 912 345-67-89",
    ),
    letter("Олег", "сколько доставка в область стоит?", "Олег, для вас 500 рублей"),
    letter("Светлана", "Сколько стоит доставка в область", "Олег, для вас 500 рублей!"),
    letter("Кира", "Сколько стоит доставка в область за город?", "700 рублей"),
    letter("Павел", "Доставка в область сколько стоит?", "От 700 рублей, считаем по километрам"),
    letter("Дарья", "Когда у вас выходной?", "В понедельник"),
  ]);
  const replies = await seen();
  expect(replies).toHaveLength(3);
  expect(replies.map(({ reply }) => reply)).not.toContain("В понедельник");
  expect(new Set(replies.map(({ reply }) => reply.replace("!", ""))).size).toBe(3);
  const mary = replies.find(({ contactName }) => contactName === "Мария Петрова")!;
  expect(mary).toMatchObject({ sameContact: false, question: ASKED, repliedAt: expect.any(String) });
  expect(mary.personal.map(({ start, end }) => mary.reply.slice(start, end))).toEqual(["Мария", "+7 912 345-67-89"]);
});

test("what was written to this very contact has nothing marked as another's data", async () => {
  const { seen } = await draft([letter("Олег", ASKED, "Олег, для вас 500 рублей")]);
  expect(await seen()).toMatchObject([{ contactName: "Олег", sameContact: true, personal: [] }]);
});

test("an administrator who may decide is shown what is open to all, and none of the owner's letters; others see nothing", async () => {
  const { seenBy, seen, orgId } = await draft([
    letter("Мария", ASKED, "Мария, тебе 300 рублей, по секрету"),
    letter("Кира", "Сколько стоит доставка в область?", "700 рублей", "all"),
  ]);
  expect((await seen()).map(({ reply }) => reply).sort()).toEqual(["700 рублей", "Мария, тебе 300 рублей, по секрету"]);
  const admin = await t.signUp({ role: "org_admin", organizationId: orgId });
  expect((await seenBy(admin)).json()).toMatchObject([
    { contactName: null, repliedAt: null, sameContact: false, reply: "700 рублей" },
  ]);
  expect((await seenBy(await t.signUp({ role: "user", organizationId: orgId }))).statusCode).toBe(403);
  expect((await seenBy(await t.signUp({ role: "viewer", organizationId: orgId }))).statusCode).toBe(403);
  expect((await seenBy(await t.signUp())).statusCode).toBe(404);
});

test("shows nothing where nothing was asked, where nothing is similar, and where the draft is decided", async () => {
  const letters = [letter("Мария", ASKED, "700 рублей")];
  expect(await (await draft(letters, "")).seen()).toEqual([]);
  expect(await (await draft(letters, "Вы любите музыку?")).seen()).toEqual([]);
  const { client, id, seen } = await draft(letters);
  expect(await seen()).toHaveLength(1);
  expect((await client.post(`/api/approvals/${id}/reject`)).json<Approval>().state).toBe("cancelled");
  expect(await seen()).toEqual([]);
  expect(
    await asTenant(t.services.db, client.caller, (tx) => tx.select().from(outbox).where(eq(outbox.id, id))),
  ).toHaveLength(1);
});

describe("without a draft, to the contact's last message", () => {
  /** Creates a conversation with Олег that ends with these lines, and a similar message in the owner's history. */
  async function said(...lines: { role: "user" | "assistant"; content: string }[]) {
    const client = await t.signUp();
    const twinId = await buildTwin(client);
    const { organizationId: orgId } = client.caller;
    const id = await asTenant(t.services.db, client.caller, async (tx) => {
      const people = await storeLetters(tx, { ...client.caller, twinId }, [letter("Мария", ASKED, "700 рублей")]);
      const talk = await buildConversation(tx, { orgId, twinId }, { contactId: people.Мария });
      for (const line of lines)
        await tx
          .insert(conversationMessages)
          .values({ orgId, conversationId: talk.id, secrecy: "organization", ...line });
      return talk.id;
    });
    return { client, orgId, seenBy: (who: TestClient) => who.get(`/api/conversations/${id}/past-replies`) };
  }

  test("the owner's past replies to similar messages are offered until the message is answered", async () => {
    const asked = await said({ role: "user", content: "Здравствуйте" }, { role: "user", content: ASKED });
    expect((await asked.seenBy(asked.client)).json()).toMatchObject([{ reply: "700 рублей", sameContact: true }]);
    const answered = await said({ role: "user", content: ASKED }, { role: "assistant", content: "700 рублей" });
    expect((await answered.seenBy(answered.client)).json()).toEqual([]);
    expect((await answered.seenBy(await t.signUp())).statusCode).toBe(404);
  });

  test("they are visible only to the owner, as beside a draft", async () => {
    const { client, orgId, seenBy } = await said({ role: "user", content: ASKED });
    expect((await seenBy(client)).json()).toHaveLength(1);
    const admin = await t.signUp({ role: "org_admin", organizationId: orgId });
    expect((await seenBy(admin)).json()).toEqual([]);
    expect((await seenBy(await t.signUp({ role: "user", organizationId: orgId }))).statusCode).toBe(403);
  });
});
