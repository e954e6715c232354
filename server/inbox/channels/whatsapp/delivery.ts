/** Converts the Cloud API's deliveries, batches of messages and statuses in any order, to `Inbound` and receipts. */
import * as z from "zod/mini";
import type { Inbound, Receipt, Reported } from "#server/inbox/channel-protocol/channel.ts";
import { type Content, nothingLost, unreadLine } from "#server/inbox/channel-protocol/content-kinds.ts";
import { fieldOf, listOf, optionalId, TextId, unidentified } from "#server/inbox/channel-protocol/identifiers.ts";
import { sanitizeText } from "#server/inbox/channel-protocol/sanitize-text.ts";
import { contentOf } from "./content.ts";
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

const Message = z.object({
  from: optionalId(z.string()),
  from_user_id: optionalId(z.string()),
  to: optionalId(z.string()),
  to_user_id: optionalId(z.string()),
  id: TextId,
  timestamp: z.string().check(z.regex(/^\d{1,11}$/)),
  type: z.catch(z.string(), ""),
  /** A group without an id cannot be told from a private conversation. */
  group_id: z.optional(z.nullable(z.literal(""))),
});
type Message = z.infer<typeof Message>;

const Status = z.object({
  id: z.string(),
  status: z.string(),
  biz_opaque_callback_data: z.string(),
  errors: z.optional(z.array(z.object({ code: z.number() }))),
});

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
      // In a group several people write, and a twin never answers there.
      if (TextId.safeParse(fieldOf(raw, "group_id")).success) return null;
      const message = Message.safeParse(raw).data;
      const fromOwner = list === "message_echoes";
      const [number, userId] = fromOwner ? [message?.to, message?.to_user_id] : [message?.from, message?.from_user_id];
      const person = message && personOf(number, userId, people);
      if (person === undefined) return unidentified(deliveryOf({ metadata, contacts, [list]: [raw] }));
      const changed = CHANGES.get(message!.type);
      if (changed !== undefined) return changeOf(raw as object, message!, person, fromOwner, changed);
      const content = contentOf(raw as object);
      return content && inbound(message!, content, person, { automated: message!.type === "reaction", fromOwner });
    };
    return [
      ...messages.map((raw) => read("messages", raw)),
      ...echoes.map((raw) => read("message_echoes", raw)),
    ].filter((reported) => reported !== null);
  });
}

/** Kinds of messages that change an earlier one, and whether they delete it. */
const CHANGES = new Map([
  ["edit", false],
  ["revoke", true],
]);

/** A change that does not name its message stands in the conversation as a message of its own. */
function changeOf(
  raw: object,
  message: Message,
  person: Person,
  fromOwner: boolean,
  isDeletion: boolean,
): Reported | null {
  const body = fieldOf(raw, message.type);
  const original = TextId.safeParse(fieldOf(body, "original_message_id")).data;
  const changed = fieldOf(body, "message");
  const content = isDeletion || typeof changed !== "object" || changed === null ? null : contentOf(changed);
  const from = { automated: false, fromOwner };
  if (original === undefined || (!isDeletion && content === null)) {
    const line = { text: "", attachments: [unreadLine("изменённое сообщение")] };
    return inbound(message, nothingLost(line, raw), person, from);
  }
  // In the original's name: a second edit, a deletion or the original that comes late concerns the same message.
  const unseen = { ...message, id: original };
  const instead = content === null || fromOwner ? {} : { instead: inbound(unseen, content, person, from) };
  return {
    conversation: idsOf(person)[0]!,
    ids: idsOf(person),
    messages: { by: "messageId", ids: [original] },
    content,
    ...instead,
  };
}

/** The two kinds of ids differ in form, so a number never equals another person's id. */
const idsOf = ({ phone, userId }: Person): string[] => [phone, userId].filter((id) => id !== undefined);

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

/** Returns undefined when the message does not say who its person is. */
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

function inbound(
  message: Message,
  content: Content,
  person: Person,
  more: Pick<Inbound, "automated" | "fromOwner">,
): Inbound {
  const { id, timestamp } = message;
  const { phone, userId, known } = person;
  const ids = idsOf(person);
  const shown = phone === undefined ? "Номер скрыт" : phoneInExports(phone);
  const username = sanitizeText(known?.profile?.username ?? "").replace(/^@?/, "@");
  return {
    eventId: id,
    messageId: id,
    conversation: ids[0]!,
    ids,
    // WhatsApp gives times in seconds.
    position: Number(timestamp),
    peer: {
      id: phone === undefined ? userId! : phoneInExports(phone),
      name: sanitizeText(known?.profile?.name ?? "") || (username === "@" ? shown : username),
      ...(username === "@" ? {} : { handle: username }),
    },
    ...content,
    sentAt: new Date(Number(timestamp) * 1000).toISOString(),
    context: { messageId: id, ids },
    ...more,
  };
}

/** Formats the number as exports name people outside the address book, so that a contact is recognised: +7 999 123-45-67. */
function phoneInExports(number: string): string {
  const russian = /^7(\d{3})(\d{3})(\d{2})(\d{2})$/.exec(number);
  return russian === null ? `+${number}` : `+7 ${russian[1]} ${russian[2]}-${russian[3]}-${russian[4]}`;
}
