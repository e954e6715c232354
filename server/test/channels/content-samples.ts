/** One message of each kind of content that a platform's reader knows, in the platform's own form, and a kind that no reader knows. */

import type { Reported } from "#server/inbox/channel-protocol/channel.ts";
import type { ContentKinds } from "#server/inbox/channel-protocol/content-kinds.ts";
import { DISCORD_CONTENT } from "#server/inbox/channels/discord/content.ts";
import { reportedOf as discordEvent } from "#server/inbox/channels/discord/message.ts";
import { MAX_CONTENT } from "#server/inbox/channels/max/attachments.ts";
import { reportedOf as maxEvent } from "#server/inbox/channels/max/update.ts";
import { SLACK_CONTENT } from "#server/inbox/channels/slack/content.ts";
import { reportedOf as slackEvent } from "#server/inbox/channels/slack/event.ts";
import { TELEGRAM_CONTENT } from "#server/inbox/channels/telegram/content.ts";
import { reportedOf as telegramEvent } from "#server/inbox/channels/telegram/update.ts";
import { VK_CONTENT } from "#server/inbox/channels/vk/attachments.ts";
import { reportedOf as vkEvent } from "#server/inbox/channels/vk/event.ts";
import { WHATSAPP_CONTENT } from "#server/inbox/channels/whatsapp/content.ts";
import { reportedOf as whatsappEvent } from "#server/inbox/channels/whatsapp/delivery.ts";
import { ACCOUNT_CONTENT } from "#server/inbox/telegram-account/account-attachments.ts";
import { reportedOf as accountEvent, peopleOf } from "#server/inbox/telegram-account/message.ts";

export interface PlatformSamples {
  /** As docs/formats.md names it. */
  name: string;
  platform: string;
  kinds: ContentKinds;
  /** @param number tells messages apart */
  read(content: object, number?: number): Reported | undefined;
  /** What a message of a kind consists of; `sample` makes those of the other kinds. */
  samples: Record<string, object>;
  sample(kind: string): object;
  /** A kind that is not in the table. */
  unknown: object;
}

const only = (reported: Reported | Reported[] | null): Reported | undefined => [reported ?? []].flat()[0];
const AT = 1_795_000_000;
const place = { latitude: 55.75, longitude: 37.61 };
const text = (words: string) => ({ type: "text", text: words });

const telegram: PlatformSamples = {
  name: "Telegram (бот и Business)",
  platform: "telegram",
  kinds: TELEGRAM_CONTENT,
  read: (content, number = 1) =>
    only(
      telegramEvent({
        update_id: number,
        message: {
          ...{ message_id: number, date: AT + number, from: { id: 700, is_bot: false, first_name: "Иван" } },
          ...{ chat: { id: 700, type: "private" }, ...content },
        },
      }),
    ),
  sample: (kind) => ({ [kind]: {} }),
  samples: {
    text: { text: "Сколько стоит замена масла?" },
    rich_message: {
      rich_message: {
        blocks: [
          { type: "heading", size: 2, text: "Вопрос" },
          { type: "paragraph", text: ["Сколько стоит ", { type: "bold", text: "замена масла" }, "?"] },
          { type: "list", items: [{ blocks: [{ type: "paragraph", text: "и развал?" }] }] },
          { type: "table", cells: [[{ text: "Масло" }, { text: "5W-30" }]], caption: { text: "Что есть" } },
          { type: "photo", photo: [], caption: { text: "моя машина", credit: "Иван" } },
          { type: "map", location: place },
        ],
      },
    },
    live_photo: { live_photo: { file_id: "f" }, photo: [{ file_id: "p" }] },
    photo: { photo: [{ file_id: "p" }] },
    voice: { voice: { file_id: "f", duration: 3 } },
    audio: { audio: { file_id: "f", duration: 3 } },
    animation: { animation: { file_id: "f" }, document: { file_id: "f" } },
    contact: { contact: { phone_number: "+79990001122", first_name: "Борис", user_id: 8 } },
    venue: { venue: { title: "Сервис", address: "Мира 5", location: place }, location: place },
    location: { location: place },
    poll: { poll: { id: "1", question: "Когда приедете?", options: [{ text: "Суббота" }, { text: "Воскресенье" }] } },
    checklist: {
      checklist: {
        title: "К ТО купить",
        tasks: [
          { id: 1, text: "масло" },
          { id: 2, text: "фильтр" },
        ],
      },
    },
    dice: { dice: { emoji: "🎲", value: 5 } },
    game: { game: { title: "Гонки", description: "Кто быстрее" } },
    invoice: { invoice: { title: "ТО", description: "Замена масла" } },
    web_app_data: { web_app_data: { data: "суббота, 12:00", button_text: "Записаться" } },
    new_chat_title: { new_chat_title: "Чат" },
  },
  unknown: { hologram: { file_id: "f" } },
};

const account: PlatformSamples = {
  name: "Telegram (личный аккаунт)",
  platform: "telegram",
  kinds: ACCOUNT_CONTENT,
  read: (content, number = 1) =>
    only(
      accountEvent(
        {
          _: "message",
          id: number,
          peerId: { _: "peerUser", userId: 701 },
          date: AT,
          message: "",
          ...content,
        } as never,
        peopleOf([{ _: "user", id: 701, firstName: "Иван" } as never]),
      ),
    ),
  sample: (kind) => ({ media: { _: kind } }),
  samples: {
    message: { message: "Сколько стоит замена масла?" },
    messageMediaContact: {
      media: { _: "messageMediaContact", firstName: "Борис", lastName: "", phoneNumber: "+79990001122" },
    },
    messageMediaGeo: { media: { _: "messageMediaGeo", geo: { lat: 55.75, long: 37.61 } } },
    messageMediaGeoLive: { media: { _: "messageMediaGeoLive", geo: { lat: 55.75, long: 37.61 } } },
    messageMediaVenue: {
      media: { _: "messageMediaVenue", title: "Сервис", address: "Мира 5", geo: { lat: 55.75, long: 37.61 } },
    },
    messageMediaPoll: {
      media: {
        _: "messageMediaPoll",
        poll: { question: { text: "Когда приедете?" }, answers: [{ text: { text: "Суббота" } }] },
      },
    },
    messageMediaToDo: {
      media: { _: "messageMediaToDo", todo: { title: { text: "К ТО" }, list: [{ title: { text: "масло" } }] } },
    },
    messageMediaDice: { media: { _: "messageMediaDice", emoticon: "🎲", value: 5 } },
    messageMediaGame: { media: { _: "messageMediaGame", game: { title: "Гонки" } } },
    messageMediaInvoice: { media: { _: "messageMediaInvoice", title: "ТО" } },
    // A preview or an empty place stands beside words.
    messageMediaWebPage: { media: { _: "messageMediaWebPage" }, message: "https://shop.example" },
    messageMediaEmpty: { media: { _: "messageMediaEmpty" }, message: "Да" },
    messageService: { _: "messageService" },
  },
  unknown: { media: { _: "messageMediaHologram" } },
};

const reply = (type: string, content: object) => ({ type: "interactive", interactive: { type, [type]: content } });
const whatsapp: PlatformSamples = {
  name: "WhatsApp",
  platform: "whatsapp",
  kinds: WHATSAPP_CONTENT,
  read: (content, number = 1) => {
    const message = { from: "79990001122", id: `wamid.${number}`, timestamp: String(AT + number), ...content };
    const contacts = [{ profile: { name: "Борис" }, wa_id: "79990001122" }];
    const value = { metadata: { phone_number_id: "1" }, contacts, messages: [message] };
    return only(whatsappEvent({ entry: [{ changes: [{ field: "messages", value }] }] }, null));
  },
  sample: (kind) => {
    const [type = "", own] = kind.split("/");
    return { type, [type]: own === undefined ? {} : { type: own } };
  },
  samples: {
    text: { type: "text", text: { body: "Сколько стоит замена масла?" } },
    image: { type: "image", image: { id: "m1", caption: "Вот" } },
    voice: { type: "audio", audio: { id: "m1", voice: true } },
    location: { type: "location", location: { ...place, name: "Офис", address: "Мира 5" } },
    contacts: {
      type: "contacts",
      contacts: [{ name: { formatted_name: "Коля" }, phones: [{ phone: "+7 999 555-66-77" }] }],
    },
    order: {
      type: "order",
      order: {
        text: "К субботе",
        product_items: [{ product_retailer_id: "oil-1", quantity: 2, item_price: 900, currency: "RUB" }],
      },
    },
    button: { type: "button", button: { text: "Да", payload: "1" } },
    "interactive/button_reply": reply("button_reply", { id: "1", title: "Записаться" }),
    "interactive/list_reply": reply("list_reply", { id: "1", title: "Доставка" }),
    "interactive/nfm_reply": reply("nfm_reply", {
      ...{ name: "flow", body: "Sent" },
      response_json: '{"flow_token":"x","date":"2026-09-20","car":"Лада","address":{"street":"Мира 5"}}',
    }),
    "interactive/call_permission_reply": reply("call_permission_reply", { response: "accept" }),
    reaction: { type: "reaction", reaction: { message_id: "wamid.0", emoji: "👍" } },
  },
  unknown: { type: "hologram", hologram: { id: "m1" } },
};

const vkAttachment = (type: string, content: object = {}) => ({ attachments: [{ type, [type]: content }] });
const vk: PlatformSamples = {
  name: "ВКонтакте",
  platform: "vk",
  kinds: VK_CONTENT,
  read: (content, number = 1) => {
    const message = { id: number, date: AT, peer_id: 21, from_id: 21, conversation_message_id: number, text: "" };
    return only(vkEvent({ type: "message_new", group_id: 7, object: { message: { ...message, ...content } } }, 7));
  },
  sample: vkAttachment,
  samples: {
    text: { text: "Сколько стоит замена масла?" },
    market: vkAttachment("market", { title: "Чайник «Луч»" }),
    poll: vkAttachment("poll", { question: "Когда?", answers: [{ text: "Суббота" }, { text: "Воскресенье" }] }),
    fwd_messages: {
      fwd_messages: [
        { from_id: 6, text: "Сколько стоит масло?", fwd_messages: [{ text: "А фильтр?", ...vkAttachment("photo") }] },
      ],
    },
    geo: { geo: { type: "point", coordinates: place, place: { title: "Сервис" } } },
    action: { action: { type: "chat_title_update", text: "Беседа" } },
  },
  unknown: vkAttachment("hologram"),
};

const max: PlatformSamples = {
  name: "MAX",
  platform: "max",
  kinds: MAX_CONTENT,
  read: ({ link, ...body }: { link?: object }, number = 1) =>
    only(
      maxEvent(
        {
          update_type: "message_created",
          message: {
            ...{ sender: { user_id: 5, first_name: "Иван" }, recipient: { chat_id: 9, chat_type: "dialog" } },
            ...{ timestamp: (AT + number) * 1000, link, body: { mid: `mid.${number}`, ...body } },
          },
        },
        "1",
      ),
    ),
  sample: (kind) => ({ attachments: [{ type: kind }] }),
  samples: {
    text: { text: "Сколько стоит замена масла?" },
    forward: { link: { type: "forward", message: { text: "Акция!", attachments: [{ type: "video" }] } } },
    contact: {
      attachments: [
        {
          type: "contact",
          payload: { vcf_info: "BEGIN:VCARD\r\nFN:Коля\r\nTEL;TYPE=cell:+79995556677\r\nEND:VCARD" },
        },
      ],
    },
    location: { attachments: [{ type: "location", ...place }] },
    share: { attachments: [{ type: "share", title: "Прайс", payload: { url: "https://shop.example" } }] },
    // Buttons stand under a bot's message.
    inline_keyboard: { text: "Выберите", attachments: [{ type: "inline_keyboard" }] },
    reply_keyboard: { text: "Выберите", attachments: [{ type: "reply_keyboard" }] },
  },
  unknown: { attachments: [{ type: "hologram" }] },
};

const share = { is_share: true, is_msg_unfurl: true, text: "Сколько стоит замена масла?", author_name: "Коля" };
const slack: PlatformSamples = {
  name: "Slack",
  platform: "slack",
  kinds: SLACK_CONTENT,
  read: (content, number = 1) =>
    only(
      slackEvent(
        {
          ...{ type: "event_callback", event_id: `Ev${number}`, team_id: "T1" },
          event: {
            ...{ type: "message", channel_type: "im", channel: "D1", user: "U1", text: "" },
            ...{ ts: `${AT + number}.000100`, ...content },
          },
        },
        "T1",
      ),
    ),
  sample: (kind) => ({ subtype: kind, text: "…" }),
  samples: {
    text: { text: "Сколько стоит замена масла?" },
    blocks: {
      blocks: [
        {
          type: "rich_text",
          elements: [
            { type: "rich_text_section", elements: [text("Сколько "), { type: "link", url: "https://a.test" }] },
          ],
        },
        { type: "section", text: { type: "mrkdwn", text: "стоит <https://b.test|масло>?" } },
      ],
    },
    me_message: { subtype: "me_message", text: "машет рукой" },
    thread_broadcast: { subtype: "thread_broadcast", thread_ts: "1788999999.000100", text: "Сколько стоит?" },
    forwarded: { attachments: [share] },
    image: { subtype: "file_share", files: [{ mimetype: "image/png" }] },
    audio: { subtype: "file_share", files: [{ mimetype: "audio/mp4" }] },
    video: { subtype: "file_share", files: [{ mimetype: "video/mp4" }] },
    file: { subtype: "file_share", files: [{ mimetype: "application/pdf" }] },
    link: { attachments: [{ title: "Прайс", fallback: "Прайс" }] },
  },
  unknown: { subtype: "hologram" },
};

const discord: PlatformSamples = {
  name: "Discord",
  platform: "discord",
  kinds: DISCORD_CONTENT,
  read: (content, number = 1) =>
    only(
      discordEvent({
        ...{ id: String(1_000_000_000_000_000_000n + BigInt(number * 5000)), channel_id: "30", type: 0, content: "" },
        ...{ author: { id: "20", username: "anna", global_name: "Анна" }, mentions: [], attachments: [] },
        ...{ timestamp: "2024-03-12T11:05:00.000Z", flags: 0, ...content },
      }),
    ),
  sample: (kind) => ({ [kind]: [{}] }),
  samples: {
    content: { content: "Сколько стоит замена масла?" },
    image: { attachments: [{ id: "1", url: "https://cdn.discordapp.com/1", size: 1, content_type: "image/png" }] },
    audio: { attachments: [{ id: "1", url: "https://cdn.discordapp.com/1", size: 1, content_type: "audio/ogg" }] },
    voice: {
      flags: 8192,
      attachments: [{ id: "1", url: "https://cdn.discordapp.com/1", size: 1, content_type: "audio/ogg" }],
    },
    video: { attachments: [{ id: "1", url: "https://cdn.discordapp.com/1", size: 1, content_type: "video/mp4" }] },
    file: { attachments: [{ id: "1", url: "https://cdn.discordapp.com/1", size: 1 }] },
    message_snapshots: {
      message_snapshots: [{ message: { content: "Сколько стоит масло?", attachments: [], mentions: [] } }],
    },
    poll: {
      poll: {
        question: { text: "Когда приедете?" },
        answers: [{ poll_media: { text: "Суббота" } }, { poll_media: { text: "Воскресенье" } }],
      },
    },
    embeds: { embeds: [{ title: "Прайс", description: "Цены" }] },
    activity: { activity: { type: 1 } },
    service: { type: 3 },
  },
  unknown: { type: 99 },
};

export const PLATFORM_SAMPLES: readonly PlatformSamples[] = [telegram, account, whatsapp, vk, max, slack, discord];

export const sampleOf = ({ samples, sample }: PlatformSamples, kind: string): object =>
  Object.hasOwn(samples, kind) ? samples[kind]! : sample(kind);
