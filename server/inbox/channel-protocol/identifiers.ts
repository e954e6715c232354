/**
 * The ids by which platforms name people, chats and messages. An empty id names everybody who has none, so it is as good as absent: a reader
 * parses the ids of an event by one schema, and an event without them is kept for the owner.
 */
import { createHash } from "node:crypto";
import * as z from "zod/mini";
import type { UnreadEvent } from "./channel.ts";

/** A platform's number of a person, chat or message. */
export const NumericId = z.int().check(z.positive());
/** A platform's id in letters and digits. */
export const TextId = z.string().check(z.regex(/^[^\s\p{C}]{1,200}$/u));
/** An id that may be missing; an empty one, or one of another type, is missing too. */
export const optionalId = <Id extends z.ZodMiniType>(id: Id) => z.catch(z.optional(id), undefined);

const NO_SENDER = "В нём нет номера отправителя, беседы или сообщения, по которому его можно узнать";

/** Keeps an event that names no sender, conversation or message that can be recognised. */
export function unidentified(raw: unknown, title = "Сообщение"): UnreadEvent {
  const digest = createHash("sha256").update(JSON.stringify(raw) ?? "undefined");
  return { unread: { name: `unread ${digest.digest("hex").slice(0, 32)}`, title, reason: NO_SENDER, raw } };
}

/** Returns a field of an event whose form is not known yet. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;

/** Returns the members of a list of an event; none when it is no list. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
