/**
 * Finds a conversation by any id that the platform gives for it. A person in WhatsApp who hides his number is named by a user id alone, and
 * before that by both; only ids that the platform itself has given together belong to one person.
 */
import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";

/** What is counted to a conversation; `ids`: all ids of it that the platform has given, stored in its reply context. */
interface Placed {
  conversation: string;
  ids?: readonly string[] | undefined;
}

/** @returns the same with the id under which the conversation is stored */
export async function inKnownConversation<Some extends Placed>(
  tx: Tx,
  integrationId: string,
  placed: Some,
): Promise<Some> {
  const { ids } = placed;
  if (ids === undefined) return placed;
  const found =
    (await oldest(tx, integrationId, inArray(conversations.externalId, [...ids]))) ??
    // Only for the first message under an id, so the integration's conversations may be read through.
    (await oldest(tx, integrationId, sql`${conversations.replyContext} -> 'ids' ?| ${sql.param([...ids])}::text[]`));
  return found === undefined ? placed : { ...placed, conversation: found };
}

async function oldest(tx: Tx, integrationId: string, which: ReturnType<typeof inArray>): Promise<string | undefined> {
  const [row] = await tx
    .select({ externalId: conversations.externalId })
    .from(conversations)
    .where(and(eq(conversations.integrationId, integrationId), which))
    .orderBy(asc(conversations.createdAt))
    .limit(1);
  return row?.externalId ?? undefined;
}
