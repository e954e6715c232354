/** A contact edits or deletes what he has written: a waiting answer follows, a sent one is marked. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { MessageChange, Reported } from "#server/inbox/channel-protocol/channel.ts";
import { reportedOf as slackEvent } from "#server/inbox/channels/slack/event.ts";
import { reportedOf as telegramEvent } from "#server/inbox/channels/telegram/update.ts";
import { reportedOf as whatsappEvent } from "#server/inbox/channels/whatsapp/delivery.ts";
import { conversations, inboxEvents, outbox } from "#server/platform/db/schema/conversations.ts";
import { approvals, drafted, listedConversations, transcript, WAIT } from "#server/test/channels/channel-journey.ts";
import { type ReceivingIntegration, receivingIntegration } from "#server/test/channels/received.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

let seconds = 1_795_000_000;
const delivered = (message: object): Reported => {
  const whole = { from: "79990001122", timestamp: String(++seconds), ...message };
  const value = { metadata: { phone_number_id: "1" }, contacts: [], messages: [whole] };
  return whatsappEvent({ entry: [{ changes: [{ field: "messages", value }] }] }, null)[0]!;
};
const said = (id: string, body: string) => delivered({ id, type: "text", text: { body } });
const edited = (original: string, body: string) =>
  delivered({
    ...{ id: `edit ${original} ${body.length}`.replaceAll(" ", "."), type: "edit" },
    edit: { original_message_id: original, message: { type: "text", text: { body } } },
  });
const revoked = (original: string) =>
  delivered({ id: `revoke.${original}`, type: "revoke", revoke: { original_message_id: original } });

const linesOf = async ({ ann }: ReceivingIntegration) => {
  const [talk] = await listedConversations(ann);
  return (await transcript(ann, talk!.id)).map(({ content }) => content);
};
/** The answer as if it had been sent. */
const send = async ({ ann }: ReceivingIntegration) => {
  const [draft] = await drafted(ann);
  await t.services.db.update(outbox).set({ state: "sent" }).where(eq(outbox.id, draft!.id));
};
const states = async ({ id }: ReceivingIntegration) =>
  (await t.services.db.select().from(outbox).where(eq(outbox.integrationId, id)).orderBy(outbox.createdAt)).map(
    ({ state }) => state,
  );

test("a waiting draft is made anew for the new words, with the rest of its burst, however often the change is delivered", async () => {
  const one = await receivingIntegration(t, "whatsapp", "draft");
  await one.receive(said("wamid.0", "Здравствуйте!"), said("wamid.1", "Сколько стоит развал?"));
  expect((await drafted(one.ann))[0]!.question).toBe("Здравствуйте!\nСколько стоит развал?");
  for (const _again of [1, 2]) await one.receive(edited("wamid.1", "Сколько стоит развал-схождение?"));
  const question = async () => (await approvals(one.ann)).map((each) => each.question);
  await expect.poll(question, WAIT).toEqual(["Здравствуйте!\nСколько стоит развал-схождение?"]);
  await t.jobsIdle();
  expect(await states(one)).toEqual(["cancelled", "draft"]);
  expect(await linesOf(one)).toEqual(["Здравствуйте!", "Сколько стоит развал-схождение?"]);
  const [talk] = await t.services.db.select().from(conversations).where(eq(conversations.integrationId, one.id));
  expect(talk!.lastMessage).toBe("Сколько стоит развал-схождение?");

  // Without the message the rest is answered; without the rest nothing is.
  await one.receive(revoked("wamid.1"));
  await expect.poll(question, WAIT).toEqual(["Здравствуйте!"]);
  await one.receive(revoked("wamid.0"));
  await expect.poll(question, WAIT).toEqual([]);
  await t.jobsIdle();
  expect(await approvals(one.ann)).toEqual([]);
});

test("a draft that its owner has worded himself stays, and asks him to check it", async () => {
  const one = await receivingIntegration(t, "whatsapp", "draft");
  await one.receive(said("wamid.2", "Сколько стоит масло?"));
  const [draft] = await drafted(one.ann);
  await one.ann.put(`/api/approvals/${draft!.id}`, { text: "900 рублей" });
  await one.receive(edited("wamid.2", "Сколько стоит фильтр?"));
  await t.jobsIdle();
  expect(await approvals(one.ann)).toMatchObject([
    {
      ...{ id: draft!.id, text: "900 рублей", question: "Сколько стоит фильтр?" },
      reason: expect.stringMatching(/изменил сообщение: проверьте ответ/),
    },
  ]);
});

test("below a sent answer stands what the message says now, each wording once, and that it was deleted", async () => {
  const one = await receivingIntegration(t, "whatsapp", "draft");
  await one.receive(said("wamid.3", "Сколько стоит масло?"));
  await send(one);
  for (const _again of [1, 2]) await one.receive(edited("wamid.3", "Сколько стоит фильтр?"));
  // Platforms also send a change when they add the preview of a link.
  await one.receive(edited("wamid.3", "Сколько стоит масло?"));
  await one.receive(revoked("wamid.3"));
  await t.jobsIdle();
  expect(await linesOf(one)).toEqual([
    "Сколько стоит масло?",
    "[Сообщение изменено после ответа] Сколько стоит фильтр?",
    "[Сообщение удалено после ответа]",
  ]);
  expect(await states(one)).toEqual(["sent"]);
});

test("an edit of a message that has never arrived is a message, and its deletion is nothing", async () => {
  const one = await receivingIntegration(t, "whatsapp", "draft");
  await one.receive(revoked("wamid.none"), edited("wamid.none", "Сколько стоит развал-схождение?"));
  expect((await drafted(one.ann))[0]!.question).toBe("Сколько стоит развал-схождение?");
});

test("a message that was deleted before its answer does not come back by an edit that is delivered late, nor are its words kept", async () => {
  const one = await receivingIntegration(t, "telegram", "draft");
  await one.receive(update("message", { text: "Сколько стоит замена масла?" }));
  await one.receive({ conversation: "8", messages: { by: "position", ids: [5] }, content: null });
  await one.receive(update("edited_message", { text: "Сколько стоит замена фильтра?" }));
  await t.jobsIdle();
  expect(await approvals(one.ann)).toEqual([]);
  const events = await t.services.db.select().from(inboxEvents).where(eq(inboxEvents.integrationId, one.id));
  expect(events.map(({ status }) => status)).toEqual(["ignored"]);
  expect(JSON.stringify(events[0]!.inbound)).not.toContain("масла");
});

test("two edits of a Slack message that never arrived are one question", async () => {
  const one = await receivingIntegration(t, "slack", "draft");
  const slackEdit = (eventId: string, text: string) => {
    const ts = "1795000001.000100";
    const message = { type: "message", user: "U1", text, ts, edited: { user: "U1" } };
    const event = { type: "message", subtype: "message_changed", channel_type: "im", channel: "D1", ts, message };
    return slackEvent({ type: "event_callback", event_id: eventId, team_id: "T1", event }, "T1") as MessageChange;
  };
  const [first, second] = [slackEdit("Ev1", "Почём?"), slackEdit("Ev2", "Почём масло?")];
  expect(first.instead!.eventId).toBe(second.instead!.eventId);
  await one.receive(first, second);
  await t.jobsIdle();
  expect((await approvals(one.ann)).map(({ question }) => question)).toEqual(["Почём масло?"]);
});

test("a person of WhatsApp who hides his number later stays in his conversation, and nobody else comes into it", async () => {
  const one = await receivingIntegration(t, "whatsapp", "draft");
  const from = (ids: object, id: string, body: string) => delivered({ ...ids, id, type: "text", text: { body } });
  await one.receive(from({ from: "79995550011", from_user_id: "RU.555" }, "wamid.h1", "Сколько стоит масло?"));
  await drafted(one.ann);
  await one.receive(from({ from: "", from_user_id: "RU.555" }, "wamid.h2", "И развал?"));
  await one.receive(from({ from: "", from_user_id: "RU.556" }, "wamid.h3", "А я другой"));
  await t.jobsIdle();
  const [hers] = await t.services.db.select().from(conversations).where(eq(conversations.externalId, "79995550011"));
  expect(hers!.replyContext).toMatchObject({ ids: ["79995550011", "RU.555"] });
  const rows = await t.services.db.select().from(conversations).where(eq(conversations.integrationId, one.id));
  const counted = rows.map(({ externalId, messageCount }) => [externalId, messageCount]).sort();
  expect(counted).toEqual([
    ["79995550011", 2],
    ["RU.556", 1],
  ]);
  await one.receive(
    delivered({
      ...{ from: "", from_user_id: "RU.555", id: "wamid.e" },
      type: "revoke",
      revoke: { original_message_id: "wamid.h2" },
    }),
  );
  await t.jobsIdle();
  expect((await approvals(one.ann)).map(({ question }) => question).sort()).toEqual([
    "А я другой",
    "Сколько стоит масло?",
  ]);
});

const rich = { blocks: [{ type: "paragraph", text: ["Сколько стоит ", { type: "bold", text: "развал" }, "?"] }] };
const update = (kind: string, content: object) =>
  telegramEvent({
    update_id: ++seconds,
    [kind]: {
      ...{ message_id: 5, date: seconds, from: { id: 8, is_bot: false, first_name: "Борис" } },
      ...{ chat: { id: 8, type: "private" }, ...content },
    },
  })!;

test("an edit in Telegram is read like a message, and content of another kind never empties the question", async () => {
  const one = await receivingIntegration(t, "telegram", "draft");
  const question = async () => (await approvals(one.ann)).map((each) => each.question);
  await one.receive(update("message", { text: "Сколько стоит замена масла?" }));
  await expect.poll(question, WAIT).toEqual(["Сколько стоит замена масла?"]);
  await one.receive(update("edited_message", { rich_message: rich }));
  await expect.poll(question, WAIT).toEqual(["Сколько стоит развал?"]);
  await one.receive(update("edited_message", { hologram: {} }));
  await expect.poll(question, WAIT).toEqual(["[Сообщение, которого двойник не читает: hologram]"]);
  // A location that is shared live moves every few seconds.
  await one.receive(
    ...[update("edited_message", { location: { latitude: 1, longitude: 2 } })].filter((each) => each !== null),
  );
  expect(await question()).toEqual(["[Сообщение, которого двойник не читает: hologram]"]);
});

test("a message that is changed while it is being answered is answered as it is now", async () => {
  const one = await receivingIntegration(t, "whatsapp", "draft");
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const original = t.services.generator.generate.bind(t.services.generator);
  const generate = vi.spyOn(t.services.generator, "generate").mockImplementation(async function* (request, signal) {
    begin();
    await held;
    yield* original(request, signal);
  });
  await one.receive(said("wamid.w", "Сколько стоит масло?"));
  await begun;
  await one.receive(edited("wamid.w", "Сколько стоит фильтр?"));
  release();
  await expect
    .poll(async () => (await approvals(one.ann)).map(({ question }) => question), WAIT)
    .toEqual(["Сколько стоит фильтр?"]);
  await t.jobsIdle();
  generate.mockRestore();
  expect(await states(one)).toEqual(["draft"]);
});
