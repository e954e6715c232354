import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { startSupervisor } from "#server/inbox/receiving/supervisor.ts";
import { integrationEvents, integrations } from "#server/platform/db/schema/channels.ts";
import { outbox } from "#server/platform/db/schema/conversations.ts";
import { holdBursts } from "#server/test/channels/burst.ts";
import {
  approvals,
  drafted,
  listedConversations,
  shown,
  transcript,
  WAIT,
} from "#server/test/channels/channel-journey.ts";
import {
  type Connected,
  connect,
  eventsOf,
  handled,
  newPerson,
  people,
  prepareTelegramJourney,
  rowsOf,
  sentTo,
  setSupervisor,
  supervisor,
  t,
  telegram,
} from "#server/test/channels/telegram-journey-bench.ts";
import { buildTwin } from "#server/test/factories/build-twin.ts";

prepareTelegramJourney();

async function leaseOf({ integration }: Connected) {
  const [row] = await t.services.db.select().from(integrations).where(eq(integrations.id, integration.id));
  return row!;
}

describe("a bot whose answers wait for the owner", () => {
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

describe("a bot that answers automatically", () => {
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
  test("a deleted twin or integration leaves nothing to send, and receives no more messages", async () => {
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
    // The bots of earlier tests keep polling.
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
    // The form of a key is unspecified, so Telegram decides on an unusual one too.
    expect((await connecting("no-token-at-all")).statusCode).toBe(422);
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
    telegram.say(bot.token, newPerson(), "Привет!");
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
    // The same process renews the lease before it expires.
    await expect.poll(async () => (await leaseOf(bot)).leaseUntil, WAIT).not.toEqual(taken.leaseUntil);
    expect((await leaseOf(bot)).leaseOwner).toBe(taken.leaseOwner);
    telegram.say(bot.token, bot.ivan, "Привет!");
    await drafted(bot.ann);
    setSupervisor(second);
  });
});
