/** How each platform says that a message was edited or deleted. */
import { expect, test } from "vitest";
import type { MessageChange, Reported } from "#server/inbox/channel-protocol/channel.ts";
import { editOf as accountEdit, peopleOf } from "#server/inbox/telegram-account/message.ts";
import { deletionOf as discordDeletion, editOf as discordEdit } from "./discord/message.ts";
import { reportedOf as maxEvent } from "./max/update.ts";
import { reportedOf as slackEvent } from "./slack/event.ts";
import { ALLOWED_UPDATES, reportedOf as telegramEvent } from "./telegram/update.ts";
import { RECEIVED_EVENTS } from "./vk/callback.ts";
import { reportedOf as vkEvent } from "./vk/event.ts";
import { reportedOf as whatsappEvent } from "./whatsapp/delivery.ts";

const telegramMessage = {
  ...{ message_id: 5, date: 1_795_000_000, from: { id: 8, is_bot: false, first_name: "Борис" } },
  ...{ chat: { id: 8, type: "private" }, text: "Сколько стоит развал?" },
};
const business = { ...telegramMessage, business_connection_id: "c1" };
const telegram = (more: object) => telegramEvent({ update_id: 9, ...more });

const whatsapp = (message: object, list = "messages") =>
  whatsappEvent(
    {
      entry: [
        {
          changes: [
            {
              field: "messages",
              value: {
                metadata: { phone_number_id: "1" },
                [list]: [{ from: "79990001122", id: "wamid.1", timestamp: "1789000000", ...message }],
              },
            },
          ],
        },
      ],
    },
    null,
  )[0];
const wording = {
  type: "edit",
  edit: { original_message_id: "wamid.0", message: { type: "text", text: { body: "Почём?" } } },
};

const slackMessage = { type: "message", user: "U1", text: "Почём?", ts: "1700000000.000100", edited: { user: "U1" } };
const slack = (event: object) =>
  slackEvent(
    {
      ...{ type: "event_callback", event_id: "Ev2", team_id: "T1" },
      event: { type: "message", channel_type: "im", channel: "D1", ts: "1700000009.000100", hidden: true, ...event },
    },
    "T1",
  );
const changedInSlack = (message: object) =>
  slack({ subtype: "message_changed", message: { ...slackMessage, ...message } });

const discordMessage = {
  ...{ id: "1000000000000000000", channel_id: "30", type: 0, content: "Почём?", mentions: [], attachments: [] },
  ...{
    author: { id: "20", username: "anna" },
    timestamp: "2024-03-12T11:05:00.000Z",
    edited_timestamp: "2024-03-12T11:06:00Z",
  },
};
const vkMessage = { id: 5, date: 1_795_000_000, peer_id: 21, from_id: 21, conversation_message_id: 3, text: "Почём?" };
const maxMessage = {
  ...{ sender: { user_id: 5, first_name: "Иван" }, recipient: { chat_id: 9, chat_type: "dialog", user_id: 1 } },
  ...{ timestamp: 1_795_000_000_000, body: { mid: "mid.1", text: "Почём?" } },
};
const accountMessage = (more: object = {}) =>
  accountEdit(
    {
      _: "message",
      id: 5,
      peerId: { _: "peerUser", userId: 700 },
      date: 1_795_000_000,
      message: "Почём?",
      ...more,
    } as never,
    peopleOf([{ _: "user", id: 700, firstName: "Иван" } as never]),
  );

const content = { text: "Почём?", attachments: [] };
test.each<[string, Reported | null | undefined, Omit<MessageChange, "instead">, boolean]>([
  [
    "an edit to a bot",
    telegram({ edited_message: telegramMessage }),
    {
      conversation: "8",
      messages: { by: "position", ids: [5] },
      content: { text: "Сколько стоит развал?", attachments: [] },
    },
    true,
  ],
  [
    "an edit in Telegram Business by its caption",
    telegram({ edited_business_message: { ...business, text: undefined, photo: [], caption: "Вот" } }),
    {
      conversation: "business:c1:8",
      messages: { by: "position", ids: [5] },
      content: { text: "Вот", attachments: ["Фото"] },
    },
    true,
  ],
  [
    "the owner's own edit in Telegram Business",
    telegram({ edited_business_message: { ...business, from: { ...business.from, id: 100 } } }),
    {
      conversation: "business:c1:8",
      messages: { by: "position", ids: [5] },
      content: { text: "Сколько стоит развал?", attachments: [] },
    },
    false,
  ],
  [
    "an edit in WhatsApp",
    whatsapp(wording),
    { conversation: "79990001122", messages: { by: "messageId", ids: ["wamid.0"] }, content },
    true,
  ],
  [
    "the owner's own edit on his phone",
    whatsapp({ ...wording, from: "1", to: "79990001122" }, "message_echoes"),
    { conversation: "79990001122", messages: { by: "messageId", ids: ["wamid.0"] }, content },
    false,
  ],
  [
    "a deletion in WhatsApp by a person without a number",
    whatsapp({ from: "", from_user_id: "RU.111", type: "revoke", revoke: { original_message_id: "wamid.0" } }),
    { conversation: "RU.111", messages: { by: "messageId", ids: ["wamid.0"] }, content: null },
    false,
  ],
  [
    "an edit in Slack",
    changedInSlack({}),
    { conversation: "D1", messages: { by: "messageId", ids: [slackMessage.ts] }, content },
    true,
  ],
  [
    "the preview of a link in Slack",
    changedInSlack({ edited: undefined, attachments: [{ title: "Прайс" }] }),
    { conversation: "D1", messages: { by: "messageId", ids: [slackMessage.ts] }, content },
    false,
  ],
  [
    "a deletion in Slack",
    slack({ subtype: "message_deleted", deleted_ts: slackMessage.ts, previous_message: slackMessage }),
    { conversation: "D1", messages: { by: "messageId", ids: [slackMessage.ts] }, content: null },
    false,
  ],
  [
    "a deletion in Slack of a message with replies",
    changedInSlack({ subtype: "tombstone" }),
    { conversation: "D1", messages: { by: "messageId", ids: [slackMessage.ts] }, content: null },
    false,
  ],
  [
    "an edit in Discord",
    discordEdit(discordMessage),
    { conversation: "30", messages: { by: "messageId", ids: [discordMessage.id] }, content },
    true,
  ],
  [
    "the preview of a link in Discord",
    discordEdit({ ...discordMessage, edited_timestamp: null, embeds: [{}] }),
    { conversation: "30", messages: { by: "messageId", ids: [discordMessage.id] }, content },
    false,
  ],
  [
    "a deletion in Discord",
    discordDeletion({ id: discordMessage.id, channel_id: "30" }),
    { conversation: "30", messages: { by: "messageId", ids: [discordMessage.id] }, content: null },
    false,
  ],
  [
    "an edit in VK",
    vkEvent({ type: "message_edit", group_id: 7, object: vkMessage }, 7),
    { conversation: "21", messages: { by: "position", ids: [3] }, content },
    true,
  ],
  [
    "an edit in MAX",
    maxEvent({ update_type: "message_edited", timestamp: 1, message: maxMessage }, "1"),
    { conversation: "9", messages: { by: "messageId", ids: ["mid.1"] }, content },
    true,
  ],
  [
    "a deletion in MAX",
    maxEvent({ update_type: "message_removed", timestamp: 1, message_id: "mid.1", chat_id: 9, user_id: 5 }, "1"),
    { conversation: "9", messages: { by: "messageId", ids: ["mid.1"] }, content: null },
    false,
  ],
  [
    "an edit in a personal account",
    accountMessage(),
    { conversation: "700", messages: { by: "position", ids: [5] }, content },
    true,
  ],
  [
    "the preview of a link in a personal account",
    accountMessage({ editHide: true }),
    { conversation: "700", messages: { by: "position", ids: [5] }, content },
    false,
  ],
])("%s", (_, reported, change, isNewWhenUnknown) => {
  expect(reported).toMatchObject(change);
  expect("instead" in reported!).toBe(isNewWhenUnknown);
});

test("what nobody has changed is no change: a live location's move, a program's message, a server's channel", () => {
  expect(telegram({ edited_message: { ...telegramMessage, text: undefined, location: { latitude: 1 } } })).toBeNull();
  expect(telegram({ edited_message: { ...telegramMessage, chat: { id: -1, type: "group" } } })).toBeNull();
  expect(changedInSlack({ bot_id: "B1" })).toBeNull();
  expect(slack({ subtype: "message_deleted", deleted_ts: "1.1", previous_message: { bot_id: "B1" } })).toBeNull();
  expect(
    slackEvent(
      {
        ...{ type: "event_callback", event_id: "E", team_id: "T2" },
        event: {
          type: "message",
          channel_type: "im",
          channel: "D1",
          subtype: "message_changed",
          message: slackMessage,
        },
      },
      "T1",
    ),
  ).toBeNull();
  expect(discordEdit({ ...discordMessage, guild_id: "1" })).toBeNull();
  expect(discordDeletion({ id: "5", channel_id: "30", guild_id: "1" })).toBeNull();
});

test("a change that does not name its message or its person is kept", () => {
  expect(whatsapp({ type: "revoke", revoke: {} })).toMatchObject({
    attachments: ["Сообщение, которого двойник не читает: изменённое сообщение"],
    original: {},
  });
  expect(whatsapp({ ...wording, edit: { original_message_id: "wamid.0" } })).toHaveProperty("original");
  expect(changedInSlack({ ts: "" })).toHaveProperty("unread");
  expect(maxEvent({ update_type: "message_removed", message_id: "", chat_id: 9 }, "1")).toHaveProperty("unread");
  expect(telegram({ edited_message: { ...telegramMessage, from: undefined } })).toHaveProperty("unread");
});

test("changes are requested from the platforms that have to be asked", () => {
  expect(ALLOWED_UPDATES).toEqual(
    expect.arrayContaining(["edited_message", "edited_business_message", "deleted_business_messages"]),
  );
  expect(RECEIVED_EVENTS).toHaveProperty("message_edit", 1);
});

test("a group of WhatsApp is a group, also without its sender", () => {
  expect(whatsapp({ group_id: "Y2FwaV9ncm91cA", type: "text", text: { body: "Ребята, почём?" } })).toBeUndefined();
  expect(whatsapp({ group_id: "Y2FwaV9ncm91cA", from: "", type: "text", text: { body: "Почём?" } })).toBeUndefined();
  expect(whatsapp({ group_id: "", type: "text", text: { body: "Почём?" } })).toMatchObject({ text: "Почём?" });
  // A group without an id cannot be told from a private conversation.
  expect(whatsapp({ group_id: 5, type: "text", text: { body: "Почём?" } })).toHaveProperty("unread");
});

test("a topic of a private chat goes with the message, so that it is answered there", () => {
  const topic = { message_thread_id: 116834, is_topic_message: true };
  expect(telegram({ message: { ...telegramMessage, ...topic } })).toMatchObject({
    conversation: "8",
    context: { threadId: 116834 },
  });
  expect(telegram({ business_message: { ...business, ...topic } })).toMatchObject({
    context: { threadId: 116834, lentBy: "c1" },
  });
  expect(telegram({ message: { ...telegramMessage, message_thread_id: 5 } })).not.toHaveProperty("context");
});
