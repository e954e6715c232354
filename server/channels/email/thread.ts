/** Which letters belong together: a conversation is a thread with one correspondent. */
import { createHash } from "node:crypto";

/** What a letter says of its place among others; ids with their brackets, oldest first. */
export interface ThreadHead {
  messageId: string | null;
  references: readonly string[];
}

/** Ours carry the attempt's key and the thread: a retry is the same letter, and an answer to it finds back by its id alone. */
const OWN = /^<twin\.[0-9a-f-]{36}\.([0-9a-f]{16})@/;
const OWN_WITHIN = /<twin\.[0-9a-f-]{36}\.([0-9a-f]{16})@[^<>\s]{1,255}>/;
const ID = /<[^<>\s]{1,400}>/g;
const KEPT_REFERENCES = 20;

/** The ids in a header, or in several. */
export const idsIn = (...headers: readonly (string | undefined)[]): string[] => headers.join(" ").match(ID) ?? [];

export const ownMessageId = (key: string, thread: string, address: string): string =>
  `<twin.${key}.${thread}@${address.slice(address.lastIndexOf("@") + 1)}>`;
/** The first of ours in a text, with its thread; null: none. */
export function findOwnMessageId(text: string): { id: string; thread: string } | null {
  const found = OWN_WITHIN.exec(text);
  return found === null ? null : { id: found[0], thread: found[1]! };
}
export const isOwnMessageId = (id: string | null): boolean => id !== null && OWN.test(id);

/** Sixteen hex digits. A letter without any id begins a thread of its own, named by `otherwise`. */
export function threadOf({ messageId, references }: ThreadHead, otherwise: string): string {
  const own = references.map((id) => OWN.exec(id)?.[1]).findLast((thread) => thread !== undefined);
  return own ?? digest(references[0] ?? messageId ?? otherwise);
}

export const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** The root and the newest ones: what a reply names as its forerunners. */
export function referencesOf({ messageId, references }: ThreadHead): string[] {
  const all = [...new Set([...references, ...(messageId === null ? [] : [messageId])])];
  return all.length <= KEPT_REFERENCES ? all : [all[0]!, ...all.slice(1 - KEPT_REFERENCES)];
}

export const conversationKey = (address: string, thread: string): string => `${address}/${thread}`;

export function readConversationKey(key: string): { address: string; thread: string } {
  const at = key.lastIndexOf("/");
  return { address: key.slice(0, at), thread: key.slice(at + 1) };
}
