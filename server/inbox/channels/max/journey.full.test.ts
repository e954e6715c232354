import { expect, test } from "vitest";
import {
  approvals,
  drafted,
  listedConversations,
  refusedConnection,
  rowsOf,
  shown,
  WAIT,
} from "#server/test/channels/channel-journey.ts";
import {
  connect,
  handled,
  newPerson,
  prepareMaxJourney,
  sentTo,
  server,
  supervisor,
  t,
} from "#server/test/channels/max-journey-bench.ts";
import { maxChat, maxStart } from "#server/test/servers/max-server.ts";

prepareMaxJourney();

test("a bot that answers automatically shows typing; it applies «СТОП», a stopped bot and a started one", async () => {
  const bot = await connect("auto");
  const { ann, token, ivan, chat } = bot;
  // No contact has written yet, so there is nothing to stop.
  server.push(token, maxStart("bot_stopped", ivan));
  server.push(token, maxStart("bot_started", ivan));
  await expect.poll(() => sentTo(chat).length, WAIT).toBe(1);
  expect(server.typing).toContain(chat);
  server.say(token, ivan, "СТОП");
  await handled(bot, 2);
  server.say(token, ivan, "Сколько стоит доставка?");
  await handled(bot, 3);
  server.say(token, ivan, "старт");
  await expect.poll(() => sentTo(chat).length, WAIT).toBe(2);
  server.push(token, maxStart("bot_stopped", ivan));
  await handled(bot, 5);
  const [talk] = await listedConversations(ann);
  expect(talk).toMatchObject({ lastMessage: "[Остановил бота]" });
  const written = await ann.post(`/api/conversations/${talk!.id}/messages`, { text: "Вернитесь!" });
  expect([written.statusCode, written.json().code]).toEqual([409, "cannot_send"]);
  const events = (await ann.get(`/api/integrations/${bot.integration.id}/events`)).json() as { text: string }[];
  expect(events.map(({ text }) => text)).toContain("Иван: остановил бота, писать ему нельзя");
  expect(sentTo(chat)).toHaveLength(2);
  server.push(token, maxStart("bot_started", ivan, Date.now() + 1));
  await expect.poll(() => sentTo(chat).length, WAIT).toBe(3);
});

test("outside the working hours the owner's own words are sent once", async () => {
  const bot = await connect("auto");
  const { ann, token, ivan, chat } = bot;
  const day = new Date(Date.now() + 2 * 24 * 3600_000).getUTCDay() || 7;
  const slots = [{ day, from: "10:00", to: "10:01" }];
  const workingHours = { timeZone: "UTC", slots, outside: "away", awayText: "Ответим утром" };
  const changed = await ann.put(`/api/integrations/${bot.integration.id}`, { workingHours });
  expect(changed.statusCode, changed.body).toBe(200);
  server.say(token, ivan, "Сколько стоит доставка?");
  await expect.poll(() => sentTo(chat).length, WAIT).toBe(1);
  expect(sentTo(chat)[0]).toMatch(/Ответим утром$/);
  server.say(token, ivan, "А возврат?");
  await handled(bot, 2);
  await t.jobsIdle();
  expect(sentTo(chat)).toHaveLength(1);
});

test("a send arrives at most once whatever happens to it, and the owner reads the result", async () => {
  const bot = await connect("auto");
  const refused = (status: number, body: object = { code: "x" }) => ({ kind: "refused", status, body }) as const;
  const fates = {
    arrived: [],
    later: [refused(429)],
    found: [{ kind: "reset-after-accept" } as const],
    faulty: [refused(500)],
    stopped: [refused(403, { code: "chat.denied", message: "Key: error.dialog.suspended" })],
    gone: [refused(404)],
    plain: [refused(400)],
  };
  const chats = Object.values(fates).map((fate) => {
    const person = newPerson();
    server.fates.await(String(maxChat(person)), ...fate);
    server.say(bot.token, person, "Привет!");
    return String(maxChat(person));
  });
  const ended = async () =>
    (await rowsOf(t, bot)).filter(({ state }) => state !== "pending" && state !== "sending").length;
  await expect.poll(ended, { ...WAIT, timeout: 40_000 }).toBe(chats.length);
  const states = (await rowsOf(t, bot)).map(({ state, reason }) => `${state}: ${reason}`).sort();
  expect(states).toEqual([
    "failed: Собеседник остановил бота или закрыл диалог",
    "failed: Такого диалога в MAX больше нет",
    ...Array(4).fill("sent: null"),
    "unknown: Связь с MAX прервалась: дошло ли сообщение, неизвестно",
  ]);
  await supervisor.look();
  await t.jobsIdle();
  expect(chats.map((chat) => sentTo(chat).length)).toEqual([1, 1, 1, 0, 0, 0, 1]);
  // It is sent again only if the owner decides so.
  const unknown = (await approvals(bot.ann)).find(({ state }) => state === "unknown")!;
  await bot.ann.post(`/api/approvals/${unknown.id}/approve`);
  await expect.poll(() => sentTo(chats[3]!).length, WAIT).toBe(1);
});

test("an unreadable update is set aside and the next one is answered, and a refused token is reported at once or later", async () => {
  const bot = await connect();
  await expect.poll(async () => (await shown(bot)).connection, WAIT).toBe("connected");
  const poison = { update_type: "message_created", timestamp: 7, message: { recipient: { chat_type: "dialog" } } };
  server.push(bot.token, poison);
  server.say(bot.token, bot.ivan, "Сколько стоит доставка?");
  await drafted(bot.ann);
  expect(await shown(bot)).toMatchObject({ setAside: 1, trouble: null });

  server.revoked.add(bot.token);
  server.say(bot.token, bot.ivan, "…");
  await expect.poll(async () => (await shown(bot)).status, WAIT).toBe("error");
  expect((await shown(bot)).statusReason).toMatch(/^MAX не принимает ключ бота/);
  expect(await refusedConnection(t, { platform: "max", apiKey: "another-token-of-nobody-0123456789" })).toEqual([
    422,
    "MAX не принимает ключ бота. Скопируйте его в кабинете «MAX для бизнеса» заново.",
  ]);
});
