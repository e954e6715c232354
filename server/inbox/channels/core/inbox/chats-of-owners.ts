/** Tells the members' own chats with a bot (owner-chat/) from contacts' chats, because what is said there is not stored. */
import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import { ownerChats } from "#server/platform/db/schema/channels.ts";

/** Distinguishes link codes from what contacts bring along in links of the bot's owner. */
export const CODE_PREFIX = "owner_";
export const isLinkCode = (code: string | undefined): code is string => code?.startsWith(CODE_PREFIX) === true;

/** The linked ones among these chats. */
export async function ownerChatsAmong(tx: Tx, integrationId: string, chatIds: string[]): Promise<Set<string | null>> {
  const rows = await tx
    .select({ chatId: ownerChats.chatId })
    .from(ownerChats)
    .where(and(eq(ownerChats.integrationId, integrationId), inArray(ownerChats.chatId, chatIds)));
  return new Set(rows.map(({ chatId }) => chatId));
}
