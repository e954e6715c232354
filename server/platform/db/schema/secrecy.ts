/**
 * Secrecy of stored words, and the only way in which a member reads words that may be private to another one. The code that creates a row
 * knows its sources and states their secrecy; a copy is at least as secret as its source.
 */
import { type AnyColumn, type SQL, sql } from "drizzle-orm";

/**
 * From the most to the least secret. `owner`: only the twin's owner; `contact`: the owner and the contact of the conversation, like a
 * letter between them; `organization`: every member who may read the conversation; `public`: everyone who asks the twin.
 */
export const SECRECIES = ["owner", "contact", "organization", "public"] as const;
export type Secrecy = (typeof SECRECIES)[number];

/** Shown instead of words that the reader may not read. */
export const HIDDEN_WORDS = "Ответ из личной переписки владельца: его видит только он";

/** Whether words of this secrecy are only for the owner (and possibly one contact). */
export const isPrivate = (secrecy: Secrecy): boolean => secrecy === "owner" || secrecy === "contact";

/** Returns the secrecy of words that were made from several sources: the strictest one. */
export const strictestOf = (...secrecies: readonly Secrecy[]): Secrecy =>
  SECRECIES.find((secrecy) => secrecies.includes(secrecy)) ?? "public";

/** Whether a member may read words of this secrecy in a conversation of a twin that belongs to `ownerId`. */
export const mayRead = (reader: { userId: string }, secrecy: Secrecy, ownerId: string): boolean =>
  !isPrivate(secrecy) || reader.userId === ownerId;

/** SQL: whether every member may read the words. */
export const isShared = (secrecy: AnyColumn | SQL): SQL => sql`${secrecy} in ('organization', 'public')`;

/** SQL condition of `mayRead`. */
export const isReadable = (
  reader: { userId: string },
  secrecy: AnyColumn | SQL,
  ownerId: AnyColumn | SQL,
): SQL<boolean> => sql<boolean>`(${isShared(secrecy)} or ${ownerId} = ${reader.userId}::uuid)`;

/** SQL: the text if the member may read it, else `HIDDEN_WORDS`. */
export const readableText = (
  reader: { userId: string },
  text: AnyColumn | SQL,
  secrecy: AnyColumn | SQL,
  ownerId: AnyColumn | SQL,
): SQL<string> => sql<string>`case when ${isReadable(reader, secrecy, ownerId)} then ${text} else ${HIDDEN_WORDS} end`;

/**
 * SQL: the text if every member may read it, else `HIDDEN_WORDS`. For readers who are not members: other programs, the organisation's
 * export.
 */
export const sharedText = (text: AnyColumn | SQL, secrecy: AnyColumn | SQL): SQL<string> =>
  sql<string>`case when ${isShared(secrecy)} then ${text} else ${HIDDEN_WORDS} end`;
