/** Whole journeys of a Telegram bot against a local Bot API server. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Autonomy } from "#contract/integrations/integrations.ts";
import { conversations, integrationEvents, integrations, outbox } from "#server/db/schema.ts";
import { holdBursts } from "#server/test/channels/burst.ts";
import {
  approvals,
  type Connected as ConnectedTwin,
  connectTwin,
  drafted,
  eventsOf as inboxOf,
  listedConversations,
  rowsOf as outboxOf,
  shown,
  transcript,
  WAIT,
} from "#server/test/channels/channel-journey.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";
import { startTelegramServer, type TelegramServer } from "#server/test/servers/telegram-server.ts";
import { type TestApp, testApp } from "#server/test/test-app.ts";
import { type Supervisor, startSupervisor } from "../receiving/supervisor.ts";

let telegram: TelegramServer;
let t: TestApp;
let supervisor: Supervisor;
beforeAll(async () => {
  telegram = await startTelegramServer();
  t = await testApp({ telegramApiRoot: telegram.root });
  supervisor = startSupervisor(t.services, { everyMs: 300, backoffMs: 50 });
});
afterAll(async () => {
  await supervisor.stop();
  await t.close();
  await telegram.close();
});

let bots = 100;
let people = 5000;

interface Connected extends ConnectedTwin {
  token: string;
  /** A contact who has not written before. */
  ivan: number;
}

async function connect(autonomy?: Autonomy): Promise<Connected> {
  const token = `${++bots}:token-of-a-bot-0123456789abcdefghij`;
  const connected = await connectTwin(t, { platform: "telegram", apiKey: token }, autonomy);
  return { ...connected, token, ivan: ++people };
}

const sentTo = (chat: number) => telegram.sent.filter(({ chatId }) => chatId === String(chat)).map(({ text }) => text);
const rowsOf = (bot: Connected) => outboxOf(t, bot);
const eventsOf = (bot: Connected) => inboxOf(t, bot);

async function handled(bot: Connected, count: number): Promise<void> {
  const open = async () => (await eventsOf(bot)).filter(({ status }) => status !== "pending").length;
  await expect.poll(open, WAIT).toBe(count);
}

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
    // Neither the twin's name nor its doubts stand beside words that it has not written.
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

  test("joins a burst into one answer, in the order in which it was written", async () => {
    holdBursts();
    const { ann, token, ivan } = await connect();
    telegram.say(token, ivan, "привет");
    telegram.say(token, ivan, "подскажи");
    telegram.say(token, ivan, "сколько стоит доставка");
    const [draft] = await drafted(ann);
    expect(draft!.question).toBe("привет\nподскажи\nсколько стоит доставка");
    const [talk] = await listedConversations(ann);
    expect((await transcript(ann, talk!.id)).map(({ content }) => content)).toEqual(draft!.question.split("\n"));
  });
});

describe("a bot that answers by itself", () => {
  test("does so at once, or leaves to the owner what the twin is not sure of", async () => {
    const auto = await connect("auto");
    telegram.say(auto.token, auto.ivan, "Привет!");
    await expect.poll(() => sentTo(auto.ivan).length, WAIT).toBe(1);
    expect(telegram.typing).toContain(String(auto.ivan));
    expect(await approvals(auto.ann)).toEqual([]);
    const confident = await connect("confident");
    telegram.say(confident.token, confident.ivan, "Какой номер у вашего грузового лифта?");
    expect(await drafted(confident.ann)).toMatchObject([{ reason: "Двойник не знает ответа" }]);
    const off = await connect("off");
    telegram.say(off.token, off.ivan, "Привет!");
    await handled(off, 1);
    expect(await approvals(off.ann)).toEqual([]);
    expect(await listedConversations(off.ann)).toMatchObject([{ messageCount: 1 }]);
  });

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
    // What nothing answers waits for the owner besides, without a text.
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

  test("is silent while the owner writes, and answers again when he gives the conversation back", async () => {
    const bot = await connect("auto");
    const { ann, token, ivan } = bot;
    telegram.say(token, ivan, "Привет!");
    await expect.poll(() => sentTo(ivan).length, WAIT).toBe(1);
    const [talk] = await listedConversations(ann);
    const paused = await ann.post(`/api/conversations/${talk!.id}/pause`);
    expect(paused.json()).toEqual({ conversationId: talk!.id, pausedUntil: expect.any(String) });
    telegram.say(token, ivan, "Вы тут?");
    await handled(bot, 2);
    expect(await listedConversations(ann)).toMatchObject([{ messageCount: 3, lastMessage: "Вы тут?" }]);
    expect(sentTo(ivan)).toHaveLength(1);
    expect((await ann.post(`/api/conversations/${talk!.id}/resume`)).json().pausedUntil).toBeNull();
    telegram.say(token, ivan, "Привет!");
    await expect.poll(() => sentTo(ivan).length, WAIT).toBe(2);
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
    // Approved before it was paused: the send looks again.
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

  test("a deleted twin or integration leaves nothing to send, and nobody receives for it any more", async () => {
    const bot = await connect();
    telegram.say(bot.token, bot.ivan, "Привет!");
    const [draft] = await drafted(bot.ann);
    await t.services.db
      .update(outbox)
      .set({ state: "pending", nextAttemptAt: new Date(Date.now() + 1000) })
      .where(eq(outbox.id, draft!.id));
    expect((await bot.ann.delete(`/api/digital-twins/${bot.twinId}`)).statusCode).toBe(204);
    await supervisor.look();
    await t.jobsIdle();
    expect(await rowsOf(bot)).toEqual([]);
    expect(await eventsOf(bot)).toEqual([]);
    expect(sentTo(bot.ivan)).toEqual([]);
    // The bots of the tests before go on asking.
    const polls = () => telegram.polls.filter((token) => token === bot.token).length;
    const asked = polls();
    telegram.say(bot.token, bot.ivan, "Есть кто?");
    await supervisor.look();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(polls()).toBe(asked);
  });
});

describe("trouble", () => {
  test("a token that Telegram refuses is reported at once, and nothing is stored", async () => {
    const ann = await t.signUp();
    const { twinId, token } = await connect();
    const own = await buildTwin(ann);
    const revoked = `7:${"revoked".repeat(5)}`;
    telegram.revoked.add(revoked);
    const connecting = (apiKey: string) =>
      ann.post("/api/integrations/create", { digitalTwinId: own, platform: "telegram", apiKey });
    const refused = await connecting(revoked);
    expect(refused.statusCode).toBe(422);
    expect(refused.json()).toMatchObject({
      code: "credentials_refused",
      message: "Telegram не принимает ключ бота. Скопируйте его у @BotFather заново.",
    });
    // What is no token at all is told without asking Telegram.
    expect((await connecting("no-token-at-all")).statusCode).toBe(400);
    expect((await ann.get("/api/integrations")).json()).toEqual([]);
    const foreign = await ann.post("/api/integrations/create", {
      digitalTwinId: twinId,
      platform: "telegram",
      apiKey: token,
    });
    expect(foreign.statusCode).toBe(404);
  });

  test("a token that is revoked later stops the integration with its reason", async () => {
    const bot = await connect();
    await expect.poll(async () => (await shown(bot)).account, WAIT).not.toBeNull();
    telegram.revoked.add(bot.token);
    telegram.say(bot.token, bot.ivan, "…");
    await expect.poll(async () => (await shown(bot)).status, WAIT).toBe("error");
    expect((await shown(bot)).statusReason).toMatch(/^Telegram не принимает ключ бота/);
    telegram.revoked.delete(bot.token);
    await bot.ann.put(`/api/integrations/${bot.integration.id}`, { status: "active" });
    telegram.say(bot.token, bot.ivan, "Привет!");
    await drafted(bot.ann);
  });

  test("a message that Telegram puts off is sent later, once", async () => {
    const bot = await connect();
    telegram.say(bot.token, bot.ivan, "Привет!");
    const [draft] = await drafted(bot.ann);
    telegram.script({ kind: "rate-limited", retryAfter: 2 });
    const before = Date.now();
    await bot.ann.post(`/api/approvals/${draft!.id}/approve`);
    await expect.poll(() => sentTo(bot.ivan).length, WAIT).toBe(1);
    expect(Date.now() - before).toBeGreaterThan(1900);
    await expect.poll(async () => (await rowsOf(bot))[0], WAIT).toMatchObject({ state: "sent", attempts: 2 });
  });

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

  test("a contact who has blocked the bot is reported and not tried again", async () => {
    const bot = await connect("auto");
    telegram.script({ kind: "error", status: 403, description: "Forbidden: bot was blocked by the user" });
    telegram.say(bot.token, bot.ivan, "Привет!");
    await expect.poll(async () => (await rowsOf(bot))[0]?.state, WAIT).toBe("failed");
    expect(await approvals(bot.ann)).toMatchObject([{ state: "failed", reason: "Собеседник заблокировал бота" }]);
    const log = await t.services.db
      .select()
      .from(integrationEvents)
      .where(eq(integrationEvents.integrationId, bot.integration.id));
    expect(log.map(({ text }) => text)).toContain("Собеседник заблокировал бота");
  });

  test("what a process was sending when it died is unknown, and what it had not begun is sent", async () => {
    const bot = await connect();
    telegram.say(bot.token, bot.ivan, "Привет!");
    await drafted(bot.ann);
    telegram.say(bot.token, bot.ivan, "Как дела?");
    await drafted(bot.ann, 2);
    const [first, second] = await rowsOf(bot);
    const long = new Date(Date.now() - 120_000);
    await t.services.db.update(outbox).set({ state: "sending", nextAttemptAt: long }).where(eq(outbox.id, first!.id));
    await t.services.db.update(outbox).set({ state: "pending" }).where(eq(outbox.id, second!.id));
    await supervisor.look();
    await expect.poll(() => sentTo(bot.ivan).length, WAIT).toBe(1);
    await t.jobsIdle();
    expect((await rowsOf(bot)).map(({ state }) => state)).toEqual(["unknown", "sent"]);
    expect(sentTo(bot.ivan)[0]).toContain(second!.text);
  });

  test("a message that cannot be answered is set aside, and all others are answered", async () => {
    const bot = await connect("auto");
    const generator = t.services.generator;
    t.services.generator = {
      name: "embedded",
      generate(request, signal) {
        if (request.message.includes("яд")) throw new Error("broken");
        return generator.generate(request, signal);
      },
    };
    telegram.say(bot.token, bot.ivan, "яд.");
    telegram.say(bot.token, ++people, "Привет!");
    const other = people;
    await expect.poll(() => sentTo(other).length, WAIT).toBe(1);
    await expect
      .poll(async () => (await eventsOf(bot)).map(({ status }) => status).sort(), { ...WAIT, timeout: 60_000 })
      .toEqual(["done", "failed"]);
    telegram.say(bot.token, bot.ivan, "Привет!");
    await expect.poll(() => sentTo(bot.ivan).length, WAIT).toBe(1);
    t.services.generator = generator;
  });

  test("two servers do not receive for one bot; the second takes over when the first has gone", async () => {
    const bot = await connect();
    await expect.poll(async () => (await leaseOf(bot)).leaseOwner, WAIT).not.toBeNull();
    const { leaseOwner } = await leaseOf(bot);
    const second = startSupervisor(t.services, { everyMs: 300, backoffMs: 50, leaseMs: 2000 });
    await second.look();
    expect((await leaseOf(bot)).leaseOwner).toBe(leaseOwner);
    await supervisor.stop();
    await expect.poll(async () => (await leaseOf(bot)).leaseOwner, WAIT).not.toBeNull();
    const taken = await leaseOf(bot);
    expect(taken.leaseOwner).not.toBe(leaseOwner);
    // Renewed before it ends, by the same.
    await expect.poll(async () => (await leaseOf(bot)).leaseUntil, WAIT).not.toEqual(taken.leaseUntil);
    expect((await leaseOf(bot)).leaseOwner).toBe(taken.leaseOwner);
    telegram.say(bot.token, bot.ivan, "Привет!");
    await drafted(bot.ann);
    supervisor = second;
  });
});

async function leaseOf({ integration }: Connected) {
  const [row] = await t.services.db.select().from(integrations).where(eq(integrations.id, integration.id));
  return row!;
}

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
