/** End-to-end tests of a Telegram bot against a local Bot API server. */
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { conversations, outbox } from "#server/platform/db/schema/conversations.ts";
import {
  approvals,
  drafted,
  listedConversations,
  shown,
  transcript,
  WAIT,
} from "#server/test/channels/channel-journey.ts";
import {
  connect,
  eventsOf,
  handled,
  prepareTelegramJourney,
  rowsOf,
  sentTo,
  supervisor,
  t,
  telegram,
} from "#server/test/channels/telegram-journey-bench.ts";

prepareTelegramJourney();

describe("a bot whose answers wait for the owner", () => {
  test("is connected, drafts answers and sends what was approved, with one disclosure", async () => {
    const bot = await connect();
    const { ann, token, ivan } = bot;
    expect(bot.integration).toMatchObject({ account: `@bot${token.split(":")[0]}_bot`, autonomy: "draft" });
    telegram.say(token, ivan, "Здравствуйте! Сколько стоит доставка?");
    const [draft] = await drafted(ann);
    expect(draft).toMatchObject({
      state: "draft",
      platform: "telegram",
      contactName: "Иван",
      question: "Здравствуйте! Сколько стоит доставка?",
      reason: "Каждый ответ ждёт вашего одобрения",
    });
    expect(sentTo(ivan)).toEqual([]);
    const approved = await ann.post(`/api/approvals/${draft!.id}/approve`);
    expect(approved.json()).toMatchObject({ state: "pending" });
    await expect.poll(() => sentTo(ivan).length, WAIT).toBe(1);
    expect(sentTo(ivan)[0]).toBe(`Отвечает ИИ-помощник: цифровой двойник «Анна».\n\n${draft!.text}`);
    await expect.poll(async () => (await rowsOf(bot))[0]!.state, WAIT).toBe("sent");
    expect(await approvals(ann)).toEqual([]);
    const [talk] = await listedConversations(ann);
    expect(talk).toMatchObject({ platform: "telegram", messageCount: 2, participants: { name: "Иван" } });
    const lines = await transcript(ann, talk!.id);
    expect(lines.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(await shown(bot)).toMatchObject({ messagesHandled: 1, trouble: null, lastEvent: expect.any(String) });

    telegram.say(token, ivan, "А возврат есть?");
    const [second] = await drafted(ann);
    await ann.post(`/api/approvals/${second!.id}/approve`);
    await expect.poll(() => sentTo(ivan).length, WAIT).toBe(2);
    expect(sentTo(ivan)[1]).toBe(second!.text);
  });

  test("sends the owner's wording where he has changed it, and nothing where he rejects", async () => {
    const { ann, token, ivan } = await connect();
    telegram.say(token, ivan, "Вы сегодня работаете?");
    const [draft] = await drafted(ann);
    const edited = await ann.put(`/api/approvals/${draft!.id}`, { text: "Да, до восьми!" });
    expect(edited.json()).toMatchObject({ state: "draft", text: "Да, до восьми!" });
    await ann.post(`/api/approvals/${draft!.id}/approve`);
    await expect.poll(() => sentTo(ivan).length, WAIT).toBe(1);
    expect(sentTo(ivan)[0]).toMatch(/Да, до восьми!$/);
    // The owner's own text shows neither the twin's name nor its doubts.
    const [talk] = await listedConversations(ann);
    const said = async () => (await transcript(ann, talk!.id)).at(-1);
    await expect.poll(said, WAIT).toMatchObject({ content: expect.stringMatching(/Да, до восьми!$/), author: "owner" });
    expect(await said()).toMatchObject({ sources: [], confidence: null });

    telegram.say(token, ivan, "А завтра?");
    const [other] = await drafted(ann);
    const reject = async () => (await ann.post(`/api/approvals/${other!.id}/reject`)).json();
    expect(await reject()).toMatchObject({ state: "cancelled", undoUntil: expect.any(String) });
    const back = await ann.post(`/api/approvals/${other!.id}/undo`);
    expect(back.json()).toMatchObject({ state: "draft", reason: other!.reason, undoUntil: null });
    expect(await reject()).toMatchObject({ state: "cancelled" });
    for (const call of ["approve", "reject"]) {
      expect((await ann.post(`/api/approvals/${other!.id}/${call}`)).json().code).toBe("already_decided");
    }
    expect((await ann.put(`/api/approvals/${other!.id}`, { text: "…" })).statusCode).toBe(409);
    expect(sentTo(ivan)).toHaveLength(1);
  });
});

describe("a bot that answers automatically", () => {
  test("answers each message once, however often and in whatever order it is delivered", async () => {
    const bot = await connect("auto");
    const first = telegram.say(bot.token, bot.ivan, "Привет!");
    await expect.poll(() => sentTo(bot.ivan).length, WAIT).toBe(1);
    const later = { update_id: first.update_id + 5000 };
    const message = { ...(first.message as object), message_id: 9001 };
    telegram.push(bot.token, { ...later, message: { ...message, message_id: 9002, text: "второе." } });
    telegram.push(bot.token, { update_id: later.update_id + 1, message: { ...message, text: "первое." } });
    telegram.push(bot.token, { ...later, message: { ...message, message_id: 9002, text: "второе." } });
    await expect.poll(() => sentTo(bot.ivan).length, WAIT).toBe(2);
    await t.jobsIdle();
    expect((await eventsOf(bot)).length).toBe(3);
    // Unanswered questions also wait for the owner, without a text.
    const answers = (await rowsOf(bot)).filter(({ text }) => text !== "");
    expect(answers.map(({ question }) => question)).toEqual(["Привет!", "первое.\nвторое."]);
    expect(sentTo(bot.ivan)).toHaveLength(2);
  });

  test("answers neither programs nor groups, nor a contact who asked it to stop until they ask it to start", async () => {
    const bot = await connect("auto");
    const { token, ivan } = bot;
    telegram.say(token, ivan, "я бот", { from: { id: ivan, is_bot: true, first_name: "Бот" } });
    telegram.say(token, ivan, "в группе", { chat: { id: -100, type: "supergroup", title: "Чат" } });
    telegram.say(token, ivan, "СТОП");
    await handled(bot, 2);
    telegram.say(token, ivan, "Сколько стоит доставка?");
    await handled(bot, 3);
    await t.jobsIdle();
    expect(sentTo(ivan)).toEqual([]);
    expect((await eventsOf(bot)).map(({ status }) => status)).toEqual(["ignored", "ignored", "ignored"]);
    telegram.say(token, ivan, "/start");
    await expect.poll(() => sentTo(ivan).length, WAIT).toBe(1);
  });
});

describe("just before sending", () => {
  test("nothing is sent for a paused twin, a paused integration or a conversation that the owner has taken over", async () => {
    const bot = await connect();
    const { ann, token, ivan, twinId, integration } = bot;
    telegram.say(token, ivan, "Привет!");
    const [draft] = await drafted(ann);
    const [talk] = await listedConversations(ann);
    const twin = (await ann.get(`/api/digital-twins/${twinId}`)).json();
    const { name, description, personality, communicationStyle, expertise } = twin;
    const fields = { name, description, personality, communicationStyle, expertise };
    const approve = () => ann.post(`/api/approvals/${draft!.id}/approve`);
    await ann.put(`/api/digital-twins/${twinId}`, { ...fields, isActive: false });
    expect((await approve()).json().code).toBe("cannot_send");
    await ann.put(`/api/digital-twins/${twinId}`, { ...fields, isActive: true });
    await ann.post(`/api/conversations/${talk!.id}/pause`);
    expect((await approve()).json().code).toBe("cannot_send");
    await ann.post(`/api/conversations/${talk!.id}/resume`);
    await ann.put(`/api/integrations/${integration.id}`, { status: "inactive" });
    expect((await approve()).json().code).toBe("cannot_send");
    // It was approved before the pause, so the send checks again.
    await t.services.db.update(outbox).set({ state: "pending" }).where(eq(outbox.id, draft!.id));
    await supervisor.look();
    await expect
      .poll(async () => (await rowsOf(bot))[0], WAIT)
      .toMatchObject({
        state: "cancelled",
        reason: "Интеграция приостановлена",
      });
    expect(sentTo(ivan)).toEqual([]);
  });
});

describe("trouble", () => {
  test.each([
    ["reset after Telegram has taken it", { kind: "reset-after-accept" } as const, 1],
    ["answered with 500", { kind: "error", status: 500 } as const, 0],
  ])("a send that is %s is unknown, and goes again only if the owner says so", async (_name, behaviour, arrived) => {
    const bot = await connect();
    telegram.say(bot.token, bot.ivan, "Привет!");
    const [draft] = await drafted(bot.ann);
    telegram.script(behaviour);
    await bot.ann.post(`/api/approvals/${draft!.id}/approve`);
    await expect.poll(async () => (await rowsOf(bot))[0]!.state, WAIT).toBe("unknown");
    await supervisor.look();
    await t.jobsIdle();
    expect(sentTo(bot.ivan)).toHaveLength(arrived);
    expect(await approvals(bot.ann)).toMatchObject([{ id: draft!.id, state: "unknown" }]);
    await bot.ann.post(`/api/approvals/${draft!.id}/approve`);
    await expect.poll(() => sentTo(bot.ivan).length, WAIT).toBe(arrived + 1);
  });
});

test("only members who may change the twin can decide on its answers, and strangers do not find them", async () => {
  const bot = await connect();
  const { organizationId } = bot.ann.caller;
  const [colleague, caller, stranger] = [
    await t.signUp({ role: "user", organizationId }),
    await t.signUp({ role: "viewer", organizationId }),
    await t.signUp(),
  ];
  telegram.say(bot.token, bot.ivan, "Привет!");
  const [draft] = await drafted(bot.ann);
  const [talk] = await t.services.db.select().from(conversations).where(eq(conversations.id, draft!.conversationId));
  for (const call of [
    `approvals/${draft!.id}/approve`,
    `approvals/${draft!.id}/reject`,
    `conversations/${talk!.id}/pause`,
  ]) {
    expect((await colleague.post(`/api/${call}`)).statusCode).toBe(403);
    expect((await caller.post(`/api/${call}`)).statusCode).toBe(403);
    expect((await stranger.post(`/api/${call}`)).statusCode).toBe(404);
  }
  expect(await approvals(stranger)).toEqual([]);
  expect((await rowsOf(bot))[0]!.state).toBe("draft");
});
