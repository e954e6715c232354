/** Converts the Cloud API's deliveries, batches of messages and statuses in any order, to `Inbound` and receipts. */
import * as z from "zod/mini";
import type { Inbound, PlatformMedia, Receipt } from "#server/inbox/channel-protocol/channel.ts";
import { sanitizeText } from "#server/inbox/channel-protocol/sanitize-text.ts";
import { WINDOW_CLOSED, whatsappFailure } from "./errors.ts";

const anything = z._default(z.array(z.unknown()), []);
const Delivery = z.object({
  entry: z.array(z.object({ changes: z.array(z.object({ field: z.string(), value: z.unknown() })) })),
});
const Value = z.object({
  metadata: z.object({ phone_number_id: z.string() }),
  contacts: anything,
  messages: anything,
  /** Messages that the owner wrote on his phone, where he still uses the app. */
  message_echoes: anything,
  statuses: anything,
});
type Value = z.infer<typeof Value>;

const Contact = z.object({ wa_id: z.string(), profile: z.object({ name: z.string() }) });
type Contact = z.infer<typeof Contact>;

const captioned = z.optional(z.object({ id: z.optional(z.string()), caption: z.optional(z.string()) }));
const Message = z.object({
  from: z.string(),
  to: z.optional(z.string()),
  id: z.string(),
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
export function inboundOf(body: unknown, phoneNumberId: string | null): Inbound[] {
  return valuesOf(body).flatMap(({ metadata, contacts, messages, message_echoes: echoes }) => {
    if (phoneNumberId !== null && metadata.phone_number_id !== phoneNumberId) return [];
    const people = readAll(Contact, contacts);
    return [
      ...readAll(Message, messages).map((message) => ofContact(message, people)),
      ...readAll(Message, echoes).map((message) => ofOwner(message, people)),
    ].filter((inbound) => inbound !== null);
  });
}

/** Returns reports about our own messages. Those of other programs are skipped: they lack the key that we give each message. */
export function receiptsOf(body: unknown): Receipt[] {
  return valuesOf(body).flatMap(({ statuses }) =>
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

function valuesOf(body: unknown): Value[] {
  const delivery = Delivery.safeParse(body);
  const changes = delivery.success ? delivery.data.entry.flatMap((entry) => entry.changes) : [];
  const ours = changes.filter(({ field }) => field === "messages" || field === "smb_message_echoes");
  return readAll(
    Value,
    ours.map(({ value }) => value),
  );
}

/** Skips unparsable messages, so that the others of the batch are not lost with them. */
function readAll<T>(schema: z.ZodMiniType<T>, list: readonly unknown[]): T[] {
  return list.flatMap((each) => {
    const read = schema.safeParse(each);
    return read.success ? [read.data] : [];
  });
}

function ofContact(message: Message, contacts: Contact[]): Inbound | null {
  const reaction = message.type === "reaction";
  return inbound(message, message.from, contacts, { automated: reaction, fromOwner: false });
}

function ofOwner(message: Message, contacts: Contact[]): Inbound | null {
  // Some numbers have a plus sign, unlike the numbers in contacts' own messages.
  const contact = message.to?.replace(/^\+/, "");
  return contact === undefined ? null : inbound(message, contact, contacts, { automated: false, fromOwner: true });
}

function inbound(
  message: Message,
  contact: string,
  contacts: Contact[],
  more: Pick<Inbound, "automated" | "fromOwner">,
): Inbound | null {
  const { id, timestamp, text, button, interactive, image, video, document } = message;
  const title = interactive?.button_reply?.title ?? interactive?.list_reply?.title;
  const caption = image?.caption ?? video?.caption ?? document?.caption;
  const words = sanitizeText(text?.body ?? button?.text ?? title ?? caption ?? "");
  const attachments = attachmentsOf(message);
  if (words === "" && attachments.length === 0) return null;
  const name = contacts.find(({ wa_id: known }) => known === contact)?.profile.name;
  return {
    eventId: id,
    messageId: id,
    conversation: contact,
    // WhatsApp gives times in seconds.
    position: Number(timestamp),
    peer: { id: phoneInExports(contact), name: sanitizeText(name ?? "") || phoneInExports(contact) },
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
