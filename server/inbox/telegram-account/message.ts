/** Converts MTProto's people and messages to `Inbound`. */
import type { tl } from "@mtcute/core";
import { isInbound, type Reported } from "#server/inbox/channel-protocol/channel.ts";
import { nothingLost } from "#server/inbox/channel-protocol/content-kinds.ts";
import { NumericId, unidentified } from "#server/inbox/channel-protocol/identifiers.ts";
import { editTo } from "#server/inbox/channel-protocol/message-change.ts";
import { attachmentsOf, mediaField } from "./account-attachments.ts";

/** The id of Telegram itself, which sends login codes; its messages are ignored. */
const TELEGRAM_ITSELF = 777000;

type KnownPeople = ReadonlyMap<number, tl.RawUser>;

export const peopleOf = (users: readonly tl.TypeUser[]): KnownPeople =>
  new Map(users.filter((user) => user._ === "user").map((user) => [user.id, user]));

export function nameOf({
  firstName,
  lastName,
  deleted,
}: Pick<tl.RawUser, "firstName" | "lastName" | "deleted">): string {
  const name = [firstName, lastName].filter(Boolean).join(" ");
  return sanitizeText(name) || (deleted ? "Удалённый аккаунт" : "Без имени");
}

/** Returns whether the user is a person to talk to: no bot, not Telegram itself, not the owner's «Избранное». */
export const isPerson = (user: tl.RawUser): boolean =>
  !user.bot && !user.self && !user.support && user.id !== TELEGRAM_ITSELF;

/** Returns null for what is not for the twin: groups, channels, bots, service messages. */
export function reportedOf(message: tl.TypeMessage, people: KnownPeople): Reported | null {
  if (message._ !== "message" || message.peerId._ !== "peerUser") return null;
  const user = people.get(message.peerId.userId);
  const ids = [message.id, message.peerId.userId, user?.id];
  if (user === undefined || ids.some((id) => !NumericId.safeParse(id).success))
    // Telegram has named no such person, who might be a program. The message stays in the account.
    return unidentified({ message: message.id, user: message.peerId.userId, text: message.message });
  if (!isPerson(user)) return null;
  const content = {
    text: sanitizeText(message.message),
    attachments: attachmentsOf(message.media),
    ...mediaField(message),
  };
  return {
    eventId: String(message.id),
    conversation: String(user.id),
    position: message.id,
    // Export files have the same id, so a contact of the imported history is recognised.
    peer: { id: `user${user.id}`, name: nameOf(user) },
    // The account itself keeps the original.
    ...nothingLost(content, undefined),
    sentAt: new Date(message.date * 1000).toISOString(),
    automated: message.viaBotId !== undefined,
    messageId: String(message.id),
    ...(message.out ? { fromOwner: true } : {}),
  };
}

/** Returns null for an edit that is not for the twin. Telegram sends one also when it adds the preview of a link. */
export function editOf(message: tl.TypeMessage, people: KnownPeople): Reported | null {
  const reported = reportedOf(message, people);
  if (reported === null || !isInbound(reported) || message._ !== "message") return reported;
  const { instead, ...change } = editTo(reported, { by: "position", ids: [message.id] });
  return message.editHide || instead === undefined ? change : { ...change, instead };
}

/** PostgreSQL accepts neither NUL nor lone surrogates. */
const sanitizeText = (text: string): string => text.toWellFormed().replaceAll("\u0000", "").trim();

/** Converts the Markdown that models write to entities; offsets are in UTF-16 code units. */
export function entitiesOf(marked: string): { text: string; entities: tl.TypeMessageEntity[] } {
  const entities: tl.TypeMessageEntity[] = [];
  let text = "";
  let from = 0;
  for (const match of marked.matchAll(/\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*|`([^`\n]+)`/g)) {
    text += marked.slice(from, match.index);
    const [whole, bold, code] = match;
    const inner = bold ?? code!;
    entities.push({
      _: bold === undefined ? "messageEntityCode" : "messageEntityBold",
      offset: text.length,
      length: inner.length,
    });
    text += inner;
    from = match.index + whole.length;
  }
  return { text: text + marked.slice(from), entities };
}
