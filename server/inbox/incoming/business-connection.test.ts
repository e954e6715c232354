/** Telegram Business: a bot answers in the chats of a personal account that is connected to it. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { BusinessConnection } from "#contract/organizations/business.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { type BotBench, botBench, type ConnectedBot, WAIT } from "#server/test/channels/bot-bench.ts";
import { holdBursts } from "#server/test/channels/burst.ts";

let bench: BotBench;
beforeAll(async () => {
  bench = await botBench();
});
afterAll(() => bench.close());

const OWNER = 77;
let messages = 1_000_000;

/** Simulates Telegram's updates for an account that connects the bot: the connection and messages of its chats. */
function account({ token }: ConnectedBot, id: string) {
  // Telegram numbers a bot's updates of all kinds together.
  const push = (update: object) => {
    const { update_id } = bench.telegram.privateMessage(bench.person(), "");
    bench.telegram.push(token, { update_id, ...update });
  };
  const said = (person: number, text: string, more: object = {}) => ({
    message_id: ++messages,
    date: Math.floor(Date.now() / 1000),
    business_connection_id: id,
    chat: { id: person, type: "private", first_name: "Иван" },
    from: { id: person, is_bot: false, first_name: "Иван" },
    text,
    ...more,
  });
  return {
    connects: (state: { can_reply?: boolean; is_enabled?: boolean } = {}) =>
      push({
        business_connection: {
          id,
          user: { id: OWNER, is_bot: false, first_name: "Анна", last_name: "Чайникова" },
          user_chat_id: OWNER,
          date: 1,
          rights: { can_reply: state.can_reply ?? true },
          is_enabled: state.is_enabled ?? true,
        },
      }),
    says: (person: number, text: string, more: object = {}) => {
      const business_message = said(person, text, more);
      push({ business_message });
      return business_message;
    },
    edits: (message: object, text: string) => push({ edited_business_message: { ...message, text } }),
    deletes: (message: { chat: object; message_id: number }) =>
      push({
        deleted_business_messages: {
          business_connection_id: id,
          chat: message.chat,
          message_ids: [message.message_id],
        },
      }),
  };
}

test("nothing is read before the owner accepts; then the bot answers in his name, and steps back where he writes himself", async () => {
  const { t, telegram, connect, eventsOf, handled, sentTo } = bench;
  const bot = await connect("auto");
  const { owner, ivan, token, integration } = bot;
  const path = `/api/integrations/${integration.id}/business`;
  const listed = async (): Promise<BusinessConnection[]> => (await owner.get(path)).json();
  const anna = account(bot, "conn-1");
  anna.connects();
  anna.says(ivan, "Прочтёте?");
  await expect
    .poll(listed, WAIT)
    .toEqual([{ id: expect.any(String), name: "Анна Чайникова", canReply: true, enabled: true, accepted: false }]);
  telegram.say(token, ivan, "Привет!");
  await handled(bot, 1);
  await expect.poll(() => sentTo(ivan).length, WAIT).toBe(1);
  const [connection] = await listed();
  await owner.put(`${path}/${connection!.id}`, { accepted: true });

  anna.says(ivan, "Добрый день!");
  await expect.poll(() => telegram.sent.filter((sent) => sent.connection === "conn-1"), WAIT).toHaveLength(1);
  expect(telegram.sent.at(-1)).toMatchObject({ chatId: String(ivan), connection: "conn-1" });
  // The bot's own chat with the same person is another conversation.
  const talks = () => t.services.db.select().from(conversations).where(eq(conversations.integrationId, integration.id));
  expect((await talks()).map(({ externalId }) => externalId).sort()).toEqual([String(ivan), `business:conn-1:${ivan}`]);

  const me = { id: OWNER, is_bot: false, first_name: "Анна" };
  anna.says(ivan, "Добрый день!", { from: me, sender_business_bot: { id: 1, is_bot: true, first_name: "Бот" } });
  anna.says(ivan, "Спасибо за ваше сообщение", { from: me, is_from_offline: true });
  const pausedUntil = async () =>
    (await talks()).find(({ externalId }) => externalId === `business:conn-1:${ivan}`)!.pausedUntil;
  anna.says(ivan, "Я сама отвечу", { from: me });
  await expect.poll(pausedUntil, WAIT).not.toBeNull();
  expect(await eventsOf(bot)).toHaveLength(3);
  anna.says(ivan, "Хорошо");
  await handled(bot, 4);
  expect(telegram.sent.filter((sent) => sent.connection === "conn-1")).toHaveLength(1);
});

test("a withdrawn right, a day of silence and a deleted message are respected", async () => {
  holdBursts();
  const { t, telegram, connect, drafted, handled, eventsOf } = bench;
  const bot = await connect("draft");
  const { owner, ivan, integration } = bot;
  const path = `/api/integrations/${integration.id}/business`;
  const anna = account(bot, "conn-2");
  anna.connects();
  await expect.poll(async () => (await owner.get(path)).json().length, WAIT).toBe(1);
  const [connection] = (await owner.get(path)).json();
  await owner.put(`${path}/${connection.id}`, { accepted: true });
  const gone = anna.says(ivan, "не то");
  anna.deletes(gone);
  const mended = anna.says(ivan, "скок стоит");
  anna.edits(mended, "Сколько стоит доставка?");
  const [draft] = await drafted(owner);
  expect(draft!.question).toBe("Сколько стоит доставка?");
  await handled(bot, 2);
  expect((await eventsOf(bot)).map(({ status }) => status)).toEqual(["ignored", "done"]);

  const approve = () => owner.post(`/api/approvals/${draft!.id}/approve`);
  const reason = async () => (await bench.outboxOf(bot))[0];
  anna.connects({ can_reply: false });
  await expect.poll(async () => (await owner.get(path)).json()[0].canReply, WAIT).toBe(false);
  await approve();
  const failed = (why: RegExp) => ({ state: "failed", reason: expect.stringMatching(why) });
  await expect.poll(reason, WAIT).toMatchObject(failed(/не дано право отвечать/));
  anna.connects();
  await expect.poll(async () => (await owner.get(path)).json()[0].canReply, WAIT).toBe(true);
  const longAgo = new Date(Date.now() - 25 * 3600_000);
  await t.services.db
    .update(conversations)
    .set({ lastInboundAt: longAgo })
    .where(eq(conversations.integrationId, integration.id));
  await approve();
  await expect.poll(reason, WAIT).toMatchObject(failed(/не писал больше 24 часов/));
  anna.connects({ is_enabled: false });
  await expect.poll(async () => (await owner.get(path)).json()[0].enabled, WAIT).toBe(false);
  await approve();
  await expect.poll(reason, WAIT).toMatchObject(failed(/отключён от аккаунта/));
  expect(telegram.sent.filter((sent) => sent.connection === "conn-2")).toEqual([]);
});
