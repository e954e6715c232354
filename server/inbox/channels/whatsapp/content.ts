/** What a message of WhatsApp's Cloud API consists of. https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages */
import type { PlatformMedia } from "#server/inbox/channel-protocol/channel.ts";
import {
  type Content,
  type ContentKinds,
  coordinates,
  joined,
  kindOf,
  lineFor,
  nothingLost,
} from "#server/inbox/channel-protocol/content-kinds.ts";
import { fieldOf, listOf, TextId } from "#server/inbox/channel-protocol/identifiers.ts";

const SERVICE = { fate: "silent", name: "Служебное сообщение" } as const;

/** By `type`; for an interactive message and for one that WhatsApp does not pass on, by its own kind behind a slash. */
export const WHATSAPP_CONTENT: ContentKinds = {
  text: { fate: "read", name: "Текст" },
  image: { fate: "read", name: "Фото" },
  voice: { fate: "read", name: "Голосовое сообщение" },
  audio: { fate: "read", name: "Аудио" },
  video: { fate: "line", name: "Видео" },
  document: { fate: "line", name: "Файл" },
  sticker: { fate: "line", name: "Стикер" },
  location: {
    fate: "read",
    name: "Геопозиция",
    facts: (place) =>
      joined(
        ", ",
        fieldOf(place, "name"),
        fieldOf(place, "address"),
        coordinates(fieldOf(place, "latitude"), fieldOf(place, "longitude")),
      ),
  },
  contacts: {
    fate: "read",
    name: "Контакт",
    facts: (contacts) => joined("; ", ...listOf(contacts).map(contactWords)),
  },
  order: { fate: "read", name: "Заказ", facts: orderWords },
  button: { fate: "read", name: "Кнопка" },
  "interactive/button_reply": { fate: "read", name: "Кнопка" },
  "interactive/list_reply": { fate: "read", name: "Пункт списка" },
  "interactive/nfm_reply": {
    fate: "read",
    name: "Ответ на форму",
    facts: (reply) => formWords(fieldOf(reply, "response_json")),
  },
  "interactive/call_permission_reply": { fate: "unread", name: "Ответ о разрешении звонить" },
  reaction: { fate: "line", name: "Реакция" },
  "unsupported/poll_creation": { fate: "unread", name: "Опрос" },
  "unsupported/poll_update": { fate: "unread", name: "Голос в опросе" },
  "unsupported/edit": { fate: "unread", name: "Изменённое сообщение" },
  "unsupported/pin": { fate: "unread", name: "Закрепление" },
  unsupported: { fate: "unread", name: "WhatsApp его не передаёт" },
  unknown: { fate: "unread", name: "WhatsApp его не передаёт" },
  ephemeral: { fate: "unread", name: "Исчезающее сообщение" },
  system: SERVICE,
  request_welcome: SERVICE,
};

/** Returns null for a service message. */
export function contentOf(message: object): Content | null {
  const type = String(fieldOf(message, "type") ?? "");
  const body = fieldOf(message, type);
  const kind = kindIn(type, body);
  if (kindOf(WHATSAPP_CONTENT, kind)?.fate === "silent") return null;
  const text = joined(
    "\n",
    fieldOf(body, type === "text" ? "body" : type === "button" ? "text" : "caption"),
    ...["button_reply", "list_reply"].map((reply) => fieldOf(fieldOf(body, reply), "title")),
  );
  const reaction = type === "reaction" ? joined("", fieldOf(body, "emoji")) : null;
  // A reaction without its sign is one that was taken back.
  if (reaction === "") return null;
  const facts = type === "interactive" ? fieldOf(body, kind.slice(kind.indexOf("/") + 1)) : body;
  const line = reaction === null ? lineFor(WHATSAPP_CONTENT, kind, facts)! : `Реакция ${reaction}`;
  const lines = SPOKEN.has(kind) ? [] : [line];
  return nothingLost({ text, attachments: lines, ...mediaField(kind, body, lines) }, message);
}

/** Kinds whose words are the message itself, without a line beside them. */
const SPOKEN = new Set(["text", "button", "interactive/button_reply", "interactive/list_reply"]);

function kindIn(type: string, body: unknown): string {
  if (type === "audio") return fieldOf(body, "voice") === true ? "voice" : "audio";
  const own = fieldOf(body, "type");
  if (type === "interactive") return `interactive/${typeof own === "string" ? own : firstReply(body)}`;
  if (type !== "unsupported" || typeof own !== "string") return type;
  return kindOf(WHATSAPP_CONTENT, `unsupported/${own}`) === undefined ? "unsupported" : `unsupported/${own}`;
}
/** Some programs leave out the kind of a reply and send only its content. */
const firstReply = (body: unknown): string =>
  Object.keys(typeof body === "object" && body !== null ? body : {}).find((key) => key.endsWith("_reply")) ?? "";

function contactWords(contact: unknown): string {
  const name = fieldOf(contact, "name");
  const full = joined("", fieldOf(name, "formatted_name"));
  const named = full === "" ? joined(" ", fieldOf(name, "first_name"), fieldOf(name, "last_name")) : full;
  const numbers = listOf(fieldOf(contact, "phones")).map((each) => fieldOf(each, "phone") ?? fieldOf(each, "wa_id"));
  const mails = listOf(fieldOf(contact, "emails")).map((each) => fieldOf(each, "email"));
  return joined(", ", named, fieldOf(fieldOf(contact, "org"), "company"), ...numbers, ...mails);
}

function orderWords(order: unknown): string {
  const items = listOf(fieldOf(order, "product_items")).map((item) => {
    const price = joined(" ", fieldOf(item, "item_price"), fieldOf(item, "currency"));
    const amount = joined(" × ", fieldOf(item, "quantity"), fieldOf(item, "product_retailer_id"));
    return joined(" по ", amount, price);
  });
  return joined("; ", ...items, fieldOf(order, "text"));
}

const FORM_FIELDS = 100;
/** Fields of a form's answer that its author has not filled in. */
const NOT_FILLED_IN = new Set(["flow_token", "saved_address_id"]);

/** «date: 2026-09-20; car: Лада», also from nested fields; what is not JSON is said as it is. */
function formWords(json: unknown): string {
  if (typeof json !== "string") return "";
  let answer: unknown;
  try {
    answer = JSON.parse(json);
  } catch {
    return json;
  }
  const said: string[] = [];
  const collect = (value: unknown, name: string, depth: number): void => {
    if (said.length >= FORM_FIELDS || depth > 5) return;
    if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (NOT_FILLED_IN.has(key)) continue;
        collect(inner, Array.isArray(value) ? name : key, depth + 1);
      }
    } else if (value !== null && value !== "") said.push(name === "" ? String(value) : `${name}: ${String(value)}`);
  };
  collect(answer, "", 0);
  return said.join("; ");
}

function mediaField(kind: string, body: unknown, [name = ""]: readonly string[]): { media?: PlatformMedia[] } {
  const reader = kind === "voice" || kind === "audio" ? "speech" : kind === "image" ? "picture" : null;
  const mediaId = TextId.safeParse(fieldOf(body, "id")).data;
  return reader === null || mediaId === undefined ? {} : { media: [{ kind: reader, name, at: { mediaId } }] };
}
