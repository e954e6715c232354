/** Converts the Cloud API's deliveries, batches of messages and statuses in any order, to `Inbound` and receipts. */
import * as z from "zod/mini";
import type { Inbound, PlatformMedia, Receipt, Reported } from "#server/inbox/channel-protocol/channel.ts";
import { fieldOf, optionalId, TextId, unidentified } from "#server/inbox/channel-protocol/identifiers.ts";
import { sanitizeText } from "#server/inbox/channel-protocol/sanitize-text.ts";
import { WINDOW_CLOSED, whatsappFailure } from "./errors.ts";

const anything = z._default(z.array(z.unknown()), []);
const Value = z.object({
  metadata: z.object({ phone_number_id: TextId }),
  contacts: anything,
  messages: anything,
  /** Messages that the owner wrote on his phone, where he still uses the app. */
  message_echoes: anything,
  statuses: anything,
});
/** A person's number. Some numbers have a plus sign, unlike most. */
const Phone = z.pipe(
  z.string().check(z.regex(/^\+?\d{5,20}$/)),
  z.transform((number) => number.replace("+", "")),
);
/**
 * A business-scoped user id, «RU.13491208655302741918», which stands for the number of a person who hides it.
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids
 */
const UserId = z.string().check(z.regex(/^[A-Z]{2}(?:\.ENT)?\.[A-Za-z0-9]{1,128}$/));

const said = z.catch(z.optional(z.string()), undefined);
const Contact = z.object({
  wa_id: optionalId(Phone),
  user_id: optionalId(UserId),
  profile: z.catch(z.optional(z.object({ name: said, username: said })), undefined),
});
type Contact = z.infer<typeof Contact>;

const captioned = z.optional(z.object({ id: z.optional(z.string()), caption: z.optional(z.string()) }));
const Message = z.object({
  from: optionalId(z.string()),
  from_user_id: optionalId(z.string()),
  to: optionalId(z.string()),
  to_user_id: optionalId(z.string()),
  id: TextId,
  timestamp: z.string().check(z.regex(/^\d{1,11}$/)),
  type: z.string(),
  text: z.optional(z.object({ body: z.string() })),
  image: captioned,
  video: captioned,
  document: captioned,
  audio: z.optional(z.object({ id: z.optional(z.string()), voice: z.optional(z.boolean()) })),
  location: z.optional(z.object({ name: z.optional(z.string()), address: z.optional(z.string()) })),
  button: z.optional(z.object({ text: z.string() })),
  interactive: z.optional(
    z.object({
      button_reply: z.optional(z.object({ title: z.string() })),
      list_reply: z.optional(z.object({ title: z.string() })),
    }),
  ),
  reaction: z.optional(z.object({ emoji: z.optional(z.string()) })),
});
type Message = z.infer<typeof Message>;

const Status = z.object({
  id: z.string(),
  status: z.string(),
  biz_opaque_callback_data: z.string(),
  errors: z.optional(z.array(z.object({ code: z.number() }))),
});

const NAMES: Record<string, string> = {
  image: "Фото",
  video: "Видео",
  document: "Файл",
  sticker: "Стикер",
  contacts: "Контакт",
  order: "Заказ",
  unsupported: "Сообщение, которое WhatsApp не передаёт",
};

/** @param phoneNumberId the number whose messages count, because an app receives events of all its numbers; null: not known yet */
export function reportedOf(body: unknown, phoneNumberId: string | null): Reported[] {
  return changesOf(body).flatMap((change): Reported[] => {
    const value = Value.safeParse(change).data;
    if (value === undefined) return [unidentified(change)];
    const { metadata, contacts, messages, message_echoes: echoes } = value;
    if (phoneNumberId !== null && metadata.phone_number_id !== phoneNumberId) return [];
    const people = readAll(Contact, contacts);
    // An unreadable message is kept alone, so that the others of the batch are not kept back with it.
    const read = (list: "messages" | "message_echoes", raw: unknown): Reported | null => {
      const message = Message.safeParse(raw).data;
      const inbound = message && (list === "messages" ? ofContact(message, people) : ofOwner(message, people));
      return inbound === undefined ? unidentified(deliveryOf({ metadata, contacts, [list]: [raw] })) : inbound;
    };
    return [
      ...messages.map((raw) => read("messages", raw)),
      ...echoes.map((raw) => read("message_echoes", raw)),
    ].filter((reported) => reported !== null);
  });
}

/** Wraps a part of a delivery as Meta would deliver it alone, so that it can be read again. */
const deliveryOf = (value: object): object => ({ entry: [{ changes: [{ field: "messages", value }] }] });

/** Returns reports about our own messages. Those of other programs are skipped: they lack the key that we give each message. */
export function receiptsOf(body: unknown): Receipt[] {
  return readAll(Value, changesOf(body)).flatMap(({ statuses }) =>
    readAll(Status, statuses).flatMap(({ id, status, biz_opaque_callback_data: ours, errors }) => {
      const [key, part] = ours.split(":");
      if (key === undefined || !/^\d{1,4}$/.test(part ?? "")) return [];
      const failure = status === "failed" ? reasonOf(errors?.[0]?.code ?? null) : null;
      return [{ key, part: Number(part), externalId: id, failure }];
    }),
  );
}

const reasonOf = (code: number | null): string =>
  code === 131047 ? WINDOW_CLOSED : (whatsappFailure(400, code)?.message ?? "WhatsApp не доставил сообщение");

/** Returns the content of all changes that concern messages. */
function changesOf(body: unknown): unknown[] {
  const entries = listOf(fieldOf(body, "entry"));
  const changes = entries.flatMap((entry) => listOf(fieldOf(entry, "changes")));
  return changes.filter((change) => MESSAGES.has(fieldOf(change, "field"))).map((change) => fieldOf(change, "value"));
}

const MESSAGES = new Set<unknown>(["messages", "smb_message_echoes"]);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Skips what is not of the form. */
function readAll<T>(schema: z.ZodMiniType<T>, list: readonly unknown[]): T[] {
  return list.flatMap((each) => {
    const read = schema.safeParse(each);
    return read.success ? [read.data] : [];
  });
}

/** A person, by what WhatsApp gives of him. */
interface Person {
  phone: string | undefined;
  userId: string | undefined;
  known: Contact | undefined;
}

/** Returns undefined when the message does not say who its person is, or names one person twice differently. */
function personOf(number: unknown, userId: unknown, contacts: readonly Contact[]): Person | undefined {
  const phone = Phone.safeParse(number).data;
  const scoped = UserId.safeParse(userId).data ?? UserId.safeParse(number).data;
  const known = contacts.find(
    (contact) =>
      (phone !== undefined && contact.wa_id === phone) || (scoped !== undefined && contact.user_id === scoped),
  );
  if (phone !== undefined || scoped !== undefined) return { phone, userId: scoped ?? known?.user_id, known };
  // The message names nobody. If the delivery is about one person alone, it is his.
  const [only, ...others] = contacts;
  if (only === undefined || others.length > 0 || (only.wa_id ?? only.user_id) === undefined) return undefined;
  return { phone: only.wa_id, userId: only.user_id, known: only };
}

function ofContact(message: Message, contacts: Contact[]): Inbound | null | undefined {
  const person = personOf(message.from, message.from_user_id, contacts);
  const automated = message.type === "reaction";
  return person && inbound(message, person, { automated, fromOwner: false });
}

function ofOwner(message: Message, contacts: Contact[]): Inbound | null | undefined {
  const person = personOf(message.to, message.to_user_id, contacts);
  return person && inbound(message, person, { automated: false, fromOwner: true });
}

function inbound(
  message: Message,
  { phone, userId, known }: Person,
  more: Pick<Inbound, "automated" | "fromOwner">,
): Inbound | null {
  const { id, timestamp, text, button, interactive, image, video, document } = message;
  const title = interactive?.button_reply?.title ?? interactive?.list_reply?.title;
  const caption = image?.caption ?? video?.caption ?? document?.caption;
  const words = sanitizeText(text?.body ?? button?.text ?? title ?? caption ?? "");
  const attachments = attachmentsOf(message);
  if (words === "" && attachments.length === 0) return null;
  const shown = phone === undefined ? "Номер скрыт" : phoneInExports(phone);
  const username = sanitizeText(known?.profile?.username ?? "").replace(/^@?/, "@");
  return {
    eventId: id,
    messageId: id,
    // The two kinds of ids differ in form, so a number never equals another person's id.
    conversation: (phone ?? userId)!,
    // WhatsApp gives times in seconds.
    position: Number(timestamp),
    peer: {
      id: phone === undefined ? userId! : phoneInExports(phone),
      name: sanitizeText(known?.profile?.name ?? "") || (username === "@" ? shown : username),
      ...(username === "@" ? {} : { handle: username }),
    },
    text: words,
    attachments,
    ...mediaField(message, attachments),
    sentAt: new Date(Number(timestamp) * 1000).toISOString(),
    context: { messageId: id },
    ...more,
  };
}

function attachmentsOf({ type, audio, location, reaction }: Message): string[] {
  if (type === "audio") return [audio?.voice ? "Голосовое сообщение" : "Аудио"];
  if (type === "location") {
    const where = sanitizeText([location?.name, location?.address].filter(Boolean).join(", "));
    return [where === "" ? "Геопозиция" : `Геопозиция: ${where}`];
  }
  if (type === "reaction") return reaction?.emoji ? [`Реакция ${sanitizeText(reaction.emoji)}`] : [];
  const name = NAMES[type];
  return name === undefined ? [] : [name];
}

/** Formats the number as exports name people outside the address book, so that a contact is recognised: +7 999 123-45-67. */
function phoneInExports(number: string): string {
  const russian = /^7(\d{3})(\d{3})(\d{2})(\d{2})$/.exec(number);
  return russian === null ? `+${number}` : `+7 ${russian[1]} ${russian[2]}-${russian[3]}-${russian[4]}`;
}

function mediaField({ type, audio, image }: Message, [name = ""]: readonly string[]): { media?: PlatformMedia[] } {
  const kind = type === "audio" ? "speech" : type === "image" ? "picture" : null;
  const mediaId = audio?.id ?? image?.id;
  return kind === null || mediaId === undefined ? {} : { media: [{ kind, name, at: { mediaId } }] };
}
