/** A conversation as the list shows it; fields that the server has not sent get default values. */
import * as z from "zod/mini";
import type { ConversationStatus } from "#contract/conversations/conversations.ts";
import { Label } from "#contract/conversations/conversations.ts";
import { searchWords } from "#contract/knowledge/search-words.ts";
import { inventedMessageCount } from "#web/display-values.ts";

const text = z.catch(z.optional(z.string()), undefined);

export const ReadConversation = z.object({
  id: z.string(),
  twinId: text,
  twinName: text,
  participants: z.catch(z.optional(z.object({ name: text, status: text })), undefined),
  platform: text,
  lastMessage: text,
  messageCount: z.catch(z.optional(z.number()), undefined),
  createdAt: text,
  updatedAt: text,
  lead: z.catch(z.optional(z.nullable(z.enum(["twin", "me"]))), undefined),
  pausedUntil: z.catch(z.optional(z.nullable(z.string())), undefined),
  unread: z.catch(z.optional(z.number()), undefined),
  assignee: z.catch(z.optional(z.nullable(z.object({ id: z.string(), name: z.string() }))), undefined),
  snoozedUntil: z.catch(z.optional(z.nullable(z.string())), undefined),
  labels: z.catch(z.optional(z.array(Label)), undefined),
  match: z.catch(z.optional(z.nullable(z.string())), undefined),
  cursor: text,
});
export type ReadConversation = z.infer<typeof ReadConversation>;

export interface ShownConversation {
  id: string;
  twinId: string | undefined;
  twinName: string;
  participantName: string;
  /** `test` is the owner's own chat with the twin. */
  platform: string;
  lastMessage: string | undefined;
  lastMessageTime: string | undefined;
  startedAt: string | undefined;
  messageCount: number;
  /** Whether the count is the specification's placeholder because the server sent none. */
  countInvented: boolean;
  isActive: boolean;
  lead: "twin" | "me" | undefined;
  /** ISO 8601; the twin is silent until then. */
  pausedUntil: string | undefined;
  unread: number;
  assignee: { id: string; name: string } | undefined;
  /** ISO 8601; see `isSnoozed` and `hasReturned`. */
  snoozedUntil: string | undefined;
  labels: readonly Label[];
  match: string | undefined;
  cursor: string | undefined;
}

export function toShownConversation(read: ReadConversation): ShownConversation {
  const { id, participants, updatedAt } = read;
  return {
    id,
    twinId: read.twinId,
    twinName: read.twinName || "Unknown Twin",
    participantName: participants?.name || "Unknown Contact",
    platform: read.platform ?? "",
    lastMessage: read.lastMessage || undefined,
    lastMessageTime: updatedAt && !Number.isNaN(Date.parse(updatedAt)) ? updatedAt : undefined,
    startedAt: read.createdAt,
    messageCount: read.messageCount ?? inventedCount(id),
    countInvented: read.messageCount === undefined,
    isActive: participants?.status === "active",
    lead: read.lead ?? undefined,
    pausedUntil: read.pausedUntil ?? undefined,
    unread: read.unread ?? 0,
    assignee: read.assignee ?? undefined,
    snoozedUntil: read.snoozedUntil ?? undefined,
    labels: read.labels ?? [],
    match: read.match ?? undefined,
    cursor: read.cursor,
  };
}

type Snoozed = Pick<ShownConversation, "snoozedUntil">;
/** Whether the conversation is snoozed at present and therefore hidden from the lists. */
export const isSnoozed = ({ snoozedUntil }: Snoozed): boolean =>
  snoozedUntil !== undefined && Date.parse(snoozedUntil) > Date.now();
/** Whether the snooze has ended and the conversation was not opened since. */
export const hasReturned = ({ snoozedUntil }: Snoozed): boolean =>
  snoozedUntil !== undefined && Date.parse(snoozedUntil) <= Date.now();

const invented = new Map<string, number>();

/** Returns an invented count and remembers it per conversation, so that every render shows the same one. */
function inventedCount(id: string): number {
  const { from, to } = inventedMessageCount;
  const count = invented.get(id) ?? from + Math.floor(Math.random() * (to - from + 1));
  invented.set(id, count);
  return count;
}

export interface ConversationFilters {
  q?: string;
  /** "1": `q` searches names only, because matching messages are shown beside the list. */
  named?: "1";
  status?: ConversationStatus;
  platform?: string;
  /** "1": excludes the members' own test chats. */
  contacts?: "1";
  twinId?: string;
  lead?: "twin" | "me";
  /** `me`: conversations assigned to the signed-in member; `none`: without an assignee. */
  assignee?: "me" | "none";
  label?: string;
  day?: string;
  /** "1": only snoozed conversations; when absent, only the others. */
  snoozed?: "1";
}

const folded = (text: string) => text.toLocaleLowerCase("ru").replaceAll("ё", "е");

/** Filters loaded rows by the server's rule while its response is pending. */
export function matches(
  conversation: ShownConversation,
  { q, named, status, platform, contacts, twinId, lead, label, snoozed }: ConversationFilters,
): boolean {
  const { participantName, twinName, lastMessage = "", match } = conversation;
  // A test chat's name is its first question, which the message search finds.
  const names = folded(`${conversation.platform === "test" ? "" : participantName}\n${twinName}`);
  const said = `${names}\n${folded(lastMessage)}`;
  const words = searchWords(folded(q ?? ""));
  const byName = words.every((word) => said.includes(word)) && (!named || words.some((word) => names.includes(word)));
  return (
    (!q || byName || (!named && match !== undefined)) &&
    (!status || conversation.isActive === (status === "active")) &&
    (!platform || conversation.platform === platform) &&
    (!contacts || conversation.platform !== "test") &&
    isSnoozed(conversation) === (snoozed !== undefined) &&
    (!label || conversation.labels.some(({ id }) => id === label)) &&
    (!twinId || conversation.twinId === twinId) &&
    (!lead || (conversation.lead === "me") === (lead === "me"))
  );
}
