/** A draft shows the messages before its question, and none of the later ones. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EarlierMessage } from "#contract/earlier-message.ts";
import { asTenant } from "#server/platform/db/database.ts";
import { conversationMessages, outbox } from "#server/platform/db/schema/conversations.ts";
import { buildConversation } from "#server/test/factories/build-rows.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

type Said = [by: EarlierMessage["by"], text: string];

/** Creates a draft in a conversation with these messages, a minute apart; `since` follows the draft. */
async function draftAfter(said: readonly Said[], question: string, since: readonly Said[] = []) {
  const client = await t.signUp();
  const twinId = await buildTwin(client);
  const bot = { digitalTwinId: twinId, platform: "telegram", apiKey: `7:${randomUUID()}` };
  const integrationId: string = (await client.post("/api/integrations/create", bot)).json().id;
  const { organizationId: orgId } = client.caller;
  const moment = (minute: number) => new Date(Date.parse("2026-11-20T10:00:00Z") + minute * 60_000);
  const id = await asTenant(t.services.db, client.caller, async (tx) => {
    const talk = await buildConversation(tx, { orgId, twinId }, { integrationId, participantName: "Олег" });
    const lines = [...said, ...since].map(([by, content], at) => ({
      ...{ orgId, conversationId: talk.id, content, createdAt: moment(at < said.length ? at : at + 1) },
      secrecy: "organization" as const,
      role: by === "contact" ? ("user" as const) : ("assistant" as const),
      author: by === "owner" ? ("owner" as const) : null,
    }));
    await tx.insert(conversationMessages).values(lines);
    const [waiting] = await tx
      .insert(outbox)
      .values({
        ...{ orgId, integrationId, conversationId: talk.id, question, text: "", secrecy: "organization" },
        ...{ state: "draft", nextAttemptAt: new Date(), createdAt: moment(said.length) },
      })
      .returning({ id: outbox.id });
    return waiting!.id;
  });
  return {
    client,
    at: `/api/approvals/${id}/earlier`,
    seen: async () => (await client.get(`/api/approvals/${id}/earlier`)).json<EarlierMessage[]>(),
  };
}

test("the three messages before the question are shown, from both sides, the oldest first", async () => {
  const { seen } = await draftAfter(
    [
      ["contact", "Здравствуйте!"],
      ["twin", "Здравствуйте. Чем помочь?"],
      ["contact", "Привезите два чайника"],
      ["owner", "Привезём завтра"],
      ["contact", "А во сколько?"],
    ],
    "А во сколько?",
  );
  expect((await seen()).map(({ by, text }) => [by, text])).toEqual([
    ["twin", "Здравствуйте. Чем помочь?"],
    ["contact", "Привезите два чайника"],
    ["owner", "Привезём завтра"],
  ]);
});

test("neither the messages of a burst, nor what the twin has said to it, nor what came since are shown again", async () => {
  const { seen } = await draftAfter(
    [
      ["twin", "Доставим во вторник."],
      ["contact", "среду"],
      ["contact", "Хорошо"],
      ["contact", "А можно в среду?"],
      ["twin", "Уточню у владельца и напишу."],
    ],
    "Хорошо\nА можно в среду?",
    [["contact", "Ау"]],
  );
  // A stored message whose text is only part of the question does not belong to the burst.
  expect((await seen()).map(({ text }) => text)).toEqual(["Доставим во вторник.", "среду"]);
});

test("a first message has nothing before it, and a long one is shown by its beginning", async () => {
  const first = await draftAfter([["contact", "Вы работаете?"]], "Вы работаете?");
  expect(await first.seen()).toEqual([]);
  const long = await draftAfter(
    [
      ["twin", "да ".repeat(1000)],
      ["contact", "Вы работаете?"],
    ],
    "Вы работаете?",
  );
  expect((await long.seen())[0]!.text.length).toBeLessThanOrEqual(400);
});

test("a stranger's draft is not found", async () => {
  const { at } = await draftAfter([["contact", "Вы работаете?"]], "Вы работаете?");
  expect((await (await t.signUp()).get(at)).statusCode).toBe(404);
});
