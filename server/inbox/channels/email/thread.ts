/** Decides which letters belong together: a conversation is a thread with one correspondent. */
import { createHash } from "node:crypto";

/** A letter's own id and those of earlier letters, in angle brackets, oldest first. */
interface ThreadHead {
  messageId: string | null;
  references: readonly string[];
}

/** Ids of our letters contain the key of the answer and the thread. So a retry has the same id, and a reply finds its thread. */
const OWN = /^<twin\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9a-f]{16})@/;
const OWN_WITHIN = /<twin\.[0-9a-f-]{36}\.([0-9a-f]{16})@[^<>\s]{1,255}>/;
const ID = /<[^<>\s]{1,400}>/g;
const KEPT_REFERENCES = 20;

export const messageIdsIn = (...headers: readonly (string | undefined)[]): string[] =>
  headers.join(" ").match(ID) ?? [];

export const ownMessageId = (key: string, thread: string, address: string): string =>
  `<twin.${key}.${thread}@${address.slice(address.lastIndexOf("@") + 1)}>`;
/** Returns the first of our ids in a text, with its thread; null: there is none. */
export function findOwnMessageId(text: string): { id: string; thread: string } | null {
  const found = OWN_WITHIN.exec(text);
  return found === null ? null : { id: found[0], thread: found[1]! };
}
export const isOwnMessageId = (id: string | null): boolean => id !== null && OWN.test(id);

/** Returns the newest keys of our answers to which a letter refers. */
export const ownKeysIn = (references: readonly string[]): string[] =>
  [...new Set(references.flatMap((id) => OWN.exec(id)?.[1] ?? []))].slice(-KEPT_REFERENCES);

/** Returns the thread's name, sixteen hex digits. A letter without any id starts a thread named by `otherwise`. */
export function threadOf({ messageId, references }: ThreadHead, otherwise: string): string {
  const own = references.map((id) => OWN.exec(id)?.[2]).findLast((thread) => thread !== undefined);
  return own ?? digest(references[0] ?? messageId ?? otherwise);
}

export const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** Returns the ids that a reply lists in References: the root and the newest ones. */
export function referencesOf({ messageId, references }: ThreadHead): string[] {
  const all = [...new Set([...references, ...(messageId === null ? [] : [messageId])])];
  return all.length <= KEPT_REFERENCES ? all : [all[0]!, ...all.slice(1 - KEPT_REFERENCES)];
}

export const conversationKey = (address: string, thread: string): string => `${address}/${thread}`;

export function readConversationKey(key: string): { address: string; thread: string } {
  const at = key.lastIndexOf("/");
  return { address: key.slice(0, at), thread: key.slice(at + 1) };
}
