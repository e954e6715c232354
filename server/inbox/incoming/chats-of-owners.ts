/** Distinguishes members' own chats with a bot (owner-chat/) from contacts' chats, because their content is not stored. */
import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import { ownerChats } from "#server/platform/db/schema/channels.ts";

/** Distinguishes link codes of this product from start parameters in links that the bot's owner has made. */
export const CODE_PREFIX = "owner_";
export const isLinkCode = (code: string | undefined): code is string => code?.startsWith(CODE_PREFIX) === true;

export async function ownerChatsAmong(tx: Tx, integrationId: string, chatIds: string[]): Promise<Set<string | null>> {
  const rows = await tx
    .select({ chatId: ownerChats.chatId })
    .from(ownerChats)
    .where(and(eq(ownerChats.integrationId, integrationId), inArray(ownerChats.chatId, chatIds)));
  return new Set(rows.map(({ chatId }) => chatId));
}
