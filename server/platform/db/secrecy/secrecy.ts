/**
 * Whose secret stored words are, and the only way in which a member reads words that may be another member's. A row is made by code that
 * knows its sources, and that code says whose secret the row is; a copy is at least as secret as what it was copied from.
 */
import { type AnyColumn, type SQL, sql } from "drizzle-orm";

/**
 * From the most to the least secret. `owner`: the twin's owner alone; `contact`: the owner and the contact of the conversation, as a letter
 * between them; `organization`: every member who may read the conversation; `public`: every asker.
 */
export const SECRECIES = ["owner", "contact", "organization", "public"] as const;
export type Secrecy = (typeof SECRECIES)[number];

/** Shown in place of words that the reader may not read. */
export const HIDDEN_WORDS = "Ответ из личной переписки владельца: его видит только он";

/** Whether words of this secrecy are for the owner (and perhaps one contact) alone. */
export const isPrivate = (secrecy: Secrecy): boolean => secrecy === "owner" || secrecy === "contact";

/** The secrecy of words that were made from several sources. */
export const strictestOf = (...secrecies: readonly Secrecy[]): Secrecy =>
  SECRECIES.find((secrecy) => secrecies.includes(secrecy)) ?? "public";

/** Whether a member may read words of this secrecy in a conversation of a twin that belongs to `ownerId`. */
export const mayRead = (reader: { userId: string }, secrecy: Secrecy, ownerId: string): boolean =>
  !isPrivate(secrecy) || reader.userId === ownerId;

/** SQL: the words are open to every member. */
export const isShared = (secrecy: AnyColumn | SQL): SQL => sql`${secrecy} in ('organization', 'public')`;

/** SQL condition of `mayRead`. */
export const isReadable = (
  reader: { userId: string },
  secrecy: AnyColumn | SQL,
  ownerId: AnyColumn | SQL,
): SQL<boolean> => sql<boolean>`(${isShared(secrecy)} or ${ownerId} = ${reader.userId}::uuid)`;

/** SQL: the text where the member may read it, else `HIDDEN_WORDS`. */
export const readableText = (
  reader: { userId: string },
  text: AnyColumn | SQL,
  secrecy: AnyColumn | SQL,
  ownerId: AnyColumn | SQL,
): SQL<string> => sql<string>`case when ${isReadable(reader, secrecy, ownerId)} then ${text} else ${HIDDEN_WORDS} end`;

/** SQL: the text where every member may read it, else `HIDDEN_WORDS`. For readers who are no member: other programs, the organisation's export. */
export const sharedText = (text: AnyColumn | SQL, secrecy: AnyColumn | SQL): SQL<string> =>
  sql<string>`case when ${isShared(secrecy)} then ${text} else ${HIDDEN_WORDS} end`;
