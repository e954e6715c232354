/**
 * Ids alone identify the person who has written. Each id of each platform's events is tried empty, absent and of the wrong type: the event then
 * belongs to a person whom another id names, or is kept for the owner, and is never counted to somebody else.
 */
import { expect, test } from "vitest";
import type { Reported } from "#server/inbox/channel-protocol/channel.ts";
import { reportedOf as accountEvent, peopleOf } from "#server/inbox/telegram-account/message.ts";
import { reportedOf as discordEvent } from "./discord/message.ts";
import { reportedOf as maxEvent } from "./max/update.ts";
import { reportedOf as slackEvent } from "./slack/event.ts";
import { reportedOf as telegramEvent } from "./telegram/update.ts";
import { reportedOf as vkEvent } from "./vk/event.ts";
import { reportedOf as whatsappEvent } from "./whatsapp/delivery.ts";

const ivan = { id: 700, is_bot: false, first_name: "Иван" };
const telegramMessage = {
  message_id: 5,
  date: 1_795_000_000,
  from: ivan,
  chat: { id: 700, type: "private" },
  text: "Да",
};
const business = { ...telegramMessage, business_connection_id: "c1" };
const whatsappValue = {
  metadata: { display_phone_number: "1", phone_number_id: "1055501" },
  contacts: [{ profile: { name: "Иван" }, wa_id: "79990001122" }],
  messages: [{ from: "79990001122", id: "wamid.1", timestamp: "1795000000", type: "text", text: { body: "Да" } }],
};
const vkMessage = { id: 5, date: 1_795_000_000, peer_id: 21, from_id: 21, conversation_message_id: 3, text: "Да" };
const maxMessage = {
  sender: { user_id: 5, first_name: "Иван" },
  recipient: { chat_id: 9, chat_type: "dialog", user_id: 1 },
  timestamp: 1_795_000_000_000,
  body: { mid: "mid.1", text: "Да" },
};

interface Platform {
  name: string;
  event: object;
  read(event: unknown): Reported | Reported[] | null;
  /** Paths of the ids without which the event says nothing of its person, its conversation or itself. */
  ids: string[];
}
const PLATFORMS: Platform[] = [
  {
    name: "a message to a Telegram bot",
    event: { update_id: 9, message: telegramMessage },
    read: telegramEvent,
    ids: [
      "update_id",
      "message.message_id",
      "message.from",
      "message.from.id",
      "message.chat",
      "message.chat.id",
      "message.chat.type",
    ],
  },
  {
    name: "a message of Telegram Business",
    event: { update_id: 9, business_message: business },
    read: telegramEvent,
    ids: ["update_id", "message_id", "from", "from.id", "chat.id", "business_connection_id"].map((id) =>
      id === "update_id" ? id : `business_message.${id}`,
    ),
  },
  {
    name: "a deletion in Telegram Business",
    event: {
      update_id: 9,
      deleted_business_messages: { business_connection_id: "c1", chat: telegramMessage.chat, message_ids: [5] },
    },
    read: telegramEvent,
    ids: ["business_connection_id", "chat.id", "message_ids.0"].map((id) => `deleted_business_messages.${id}`),
  },
  {
    name: "a delivery of WhatsApp",
    event: { entry: [{ changes: [{ field: "messages", value: whatsappValue }] }] },
    read: (event) => whatsappEvent(event, null),
    ids: ["metadata.phone_number_id", "messages.0.id"].map((id) => `entry.0.changes.0.value.${id}`),
  },
  {
    name: "an event of VK",
    event: { type: "message_new", group_id: 7, object: { message: vkMessage } },
    read: (event) => vkEvent(event, 7),
    ids: ["group_id", ...["peer_id", "from_id", "conversation_message_id"].map((id) => `object.message.${id}`)],
  },
  {
    name: "an update of MAX",
    event: { update_type: "message_created", timestamp: 1, message: maxMessage },
    read: (event) => maxEvent(event, "1"),
    ids: ["sender", "sender.user_id", "recipient.chat_id", "recipient.chat_type", "body.mid"].map(
      (id) => `message.${id}`,
    ),
  },
  {
    name: "the start of a bot in MAX",
    event: { update_type: "bot_started", chat_id: 9, user: maxMessage.sender, timestamp: 1 },
    read: (event) => maxEvent(event, "1"),
    ids: ["chat_id", "user", "user.user_id"],
  },
  {
    name: "an event of Slack",
    event: {
      ...{ type: "event_callback", event_id: "Ev1", team_id: "T1" },
      event: { type: "message", channel_type: "im", channel: "D1", user: "U1", ts: "1700000000.000100", text: "Да" },
    },
    read: (event) => slackEvent(event, "T1"),
    ids: ["team_id", "event.channel", "event.channel_type", "event.user", "event.ts"],
  },
  {
    name: "a message of Discord",
    event: {
      ...{ id: "1000000000000000000", channel_id: "30", type: 0, content: "Да", mentions: [], attachments: [] },
      ...{ author: { id: "20", username: "anna" }, timestamp: "2024-03-12T11:05:00.000Z" },
    },
    read: discordEvent,
    ids: ["id", "channel_id", "author", "author.id"],
  },
];

const LACKS: [string, unknown][] = [
  ["absent", undefined],
  ["null", null],
  ["empty", ""],
  ["blank", " "],
  ["zero", 0],
  ["a list", []],
  ["an object", {}],
  ["true", true],
  ["a fraction", 1.5],
];

/** The event with the value at a path replaced; an undefined value is removed. */
function replaced(event: object, path: string, value: unknown): object {
  const copy = structuredClone(event);
  const keys = path.split(".");
  const last = keys.pop()!;
  const place = keys.reduce((at, key) => at[key] as Record<string, unknown>, copy as Record<string, unknown>);
  if (value === undefined && !Array.isArray(place)) delete place[last];
  else place[last] = value;
  return copy;
}
const only = (reported: Reported | Reported[] | null): Reported | undefined => [reported ?? []].flat()[0];

test.each(PLATFORMS)("$name is read when it has its ids", ({ event, read }) => {
  expect(only(read(event))).toBeDefined();
  expect(only(read(event))).not.toHaveProperty("unread");
});

test.each(PLATFORMS.flatMap((platform) => platform.ids.map((id) => ({ ...platform, id }))))(
  "$name without its $id is kept for the owner, whatever stands there",
  ({ event, read, id }) => {
    for (const [lack, value] of LACKS) {
      // Telegram counts its updates from any number.
      if (id === "update_id" && value === 0) continue;
      const changed = replaced(event, id, value);
      const reported = only(read(changed));
      expect(reported, lack).toMatchObject({
        unread: { title: "Сообщение", reason: expect.stringMatching(/отправителя/) },
      });
      // Kept whole, and the same for each delivery.
      expect(only(read(structuredClone(changed)))).toEqual(reported);
    }
  },
);

test("different events without a sender are kept apart", () => {
  const unread = (text: string) =>
    only(telegramEvent({ update_id: 1, message: { ...telegramMessage, from: undefined, text } }));
  expect(unread("Сколько?")).not.toEqual(unread("Почём?"));
});

const whatsapp = (message: object, contacts: object[]) =>
  only(
    whatsappEvent(
      {
        entry: [
          {
            changes: [
              {
                field: "messages",
                value: {
                  ...whatsappValue,
                  contacts,
                  messages: [{ ...whatsappValue.messages[0], from: undefined, ...message }],
                },
              },
            ],
          },
        ],
      },
      null,
    ),
  );
const petr = { profile: { name: "Пётр", username: "@petr" }, user_id: "RU.111" };
const anna = { profile: { username: "anna" }, wa_id: "", user_id: "RU.222" };

test.each<[string, object, object[], object]>([
  [
    "a user id and an empty number",
    { from: "", from_user_id: "RU.111" },
    [petr],
    { conversation: "RU.111", peer: { id: "RU.111", name: "Пётр", handle: "@petr" } },
  ],
  [
    "a user id and no number",
    { from_user_id: "RU.222" },
    [petr, anna],
    { conversation: "RU.222", peer: { id: "RU.222", name: "@anna", handle: "@anna" } },
  ],
  [
    "a user id that nobody in the delivery has",
    { from_user_id: "RU.333" },
    [petr],
    { conversation: "RU.333", peer: { id: "RU.333", name: "Номер скрыт" } },
  ],
  ["the id of an enterprise", { from_user_id: "RU.ENT.111" }, [], { conversation: "RU.ENT.111" }],
  [
    "a user id in the place of a number",
    { from: "RU.111" },
    [petr],
    { conversation: "RU.111", peer: { name: "Пётр" } },
  ],
  [
    "a number and a user id",
    { from: "+79990001122", from_user_id: "RU.111" },
    [petr],
    { conversation: "79990001122", peer: { id: "+7 999 000-11-22", name: "Пётр" } },
  ],
  ["nothing, in a delivery of one person", {}, [petr], { conversation: "RU.111", peer: { name: "Пётр" } }],
  ["nothing, in a delivery of one number", { from: null }, whatsappValue.contacts, { conversation: "79990001122" }],
])("a person in WhatsApp is known by %s", (_, message, contacts, expected) => {
  expect(whatsapp(message, contacts)).toMatchObject(expected);
});

test("ids that WhatsApp gives together are of one conversation", () => {
  const both = whatsapp({ from: "79990001122", from_user_id: "RU.111" }, [petr]);
  expect(both).toMatchObject({ conversation: "79990001122", ids: ["79990001122", "RU.111"] });
  expect(whatsapp({ from_user_id: "RU.111" }, [petr])).toMatchObject({ conversation: "RU.111", ids: ["RU.111"] });
});

test.each<[string, object, object[]]>([
  ["nothing at all", {}, []],
  ["nothing, in a delivery of two people", {}, [petr, anna]],
  ["an empty user id", { from: "", from_user_id: "" }, []],
  ["a number as a user id", { from: 79990001122, from_user_id: 111 }, []],
  ["a contact without ids", {}, [{ profile: { name: "Пётр" }, wa_id: "", user_id: "" }]],
  ["a name in the place of ids", { from: "Пётр", from_user_id: "petr" }, []],
])("whom WhatsApp names by %s is nobody", (_, message, contacts) => {
  expect(whatsapp(message, contacts)).toHaveProperty("unread");
});

test("a message to whom the owner has written is kept, not counted to anybody, when it names no recipient", () => {
  const { messages, ...value } = whatsappValue;
  const echo = { ...messages[0], to: "", to_user_id: "RU.111" };
  const read = (more: object) =>
    whatsappEvent(
      {
        entry: [
          {
            changes: [
              {
                field: "smb_message_echoes",
                value: { ...value, contacts: [], message_echoes: [{ ...echo, ...more }] },
              },
            ],
          },
        ],
      },
      null,
    );
  expect(read({})).toMatchObject([{ conversation: "RU.111", fromOwner: true }]);
  const [kept] = read({ to_user_id: "" });
  expect(kept).toHaveProperty("unread");
  // What was kept can be read again in the same form.
  expect(whatsappEvent((kept as { unread: { raw: unknown } }).unread.raw, null)).toHaveLength(1);
});

test("an unreadable message of a batch keeps back no other", () => {
  const [message] = whatsappValue.messages;
  const messages = [{ ...message, id: "" }, null, { ...message, timestamp: "сегодня" }, message];
  const body = { entry: [{ changes: [{ field: "messages", value: { ...whatsappValue, messages } }] }] };
  const read = whatsappEvent(body, null);
  expect(read.map((each) => "unread" in each)).toEqual([true, true, true, false]);
  expect(new Set(read.slice(0, 3).map((each) => (each as { unread: { name: string } }).unread.name)).size).toBe(3);
});

test("in a private dialog of VK nobody but its person and the community can write", () => {
  const event = { type: "message_new", group_id: 7, object: { message: { ...vkMessage, from_id: 22 } } };
  expect(vkEvent(event, 7)).toHaveProperty("unread");
});

test("a message of whom Telegram has not named is kept, and so is one without a number", () => {
  const message = {
    _: "message",
    id: 5,
    peerId: { _: "peerUser", userId: 700 },
    date: 1_795_000_000,
    message: "Да",
  } as never;
  const people = (id: number) => peopleOf([{ _: "user", id, firstName: "Иван" } as never]);
  expect(accountEvent(message, people(700))).toMatchObject({ conversation: "700" });
  expect(accountEvent(message, people(701))).toHaveProperty("unread");
  expect(accountEvent({ ...(message as object), id: 0 } as never, people(700))).toHaveProperty("unread");
});
