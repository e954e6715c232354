/** Decides who may read and change a conversation. */
import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import { canChange } from "#server/accounts/organizations/access.ts";
import type { Tenant, Tx } from "#server/platform/db/database.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { isShared } from "#server/platform/db/schema/secrecy.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";

export const conversationNotFound = () => notFound("Диалог не найден", "conversation_not_found");

/** A test chat belongs to the member who opened it; a contact's conversation to every member who may read the twin. */
export const readableBy = (caller: Tenant) =>
  and(
    eq(conversations.orgId, caller.organizationId),
    or(isNull(conversations.userId), eq(conversations.userId, caller.userId)),
  );

/**
 * SQL condition: the message is not the owner's secret, or the caller is the owner. It needs no join with the twin.
 * @param alias the statement's alias of conversation_messages, if any
 */
export function isReadableMessage({ userId }: Pick<Tenant, "userId">, alias = "conversation_messages"): SQL {
  const message = sql.identifier(alias);
  return sql`(${isShared(sql`${message}.secrecy`)}
    or exists (select from ${conversations} c join ${twins} t on t.id = c.twin_id
      where c.id = ${message}.conversation_id and t.owner_id = ${userId}::uuid))`;
}

/**
 * Members who may change the twin decide on a contact's conversation; only its own member on a test chat.
 * @throws Problem 404, 403
 */
export async function canChangeConversation(tx: Tx, caller: Caller, id: string): Promise<void> {
  const [row] = await tx
    .select({ userId: conversations.userId, twin: { orgId: twins.orgId, ownerId: twins.ownerId } })
    .from(conversations)
    .innerJoin(twins, eq(twins.id, conversations.twinId))
    .where(and(eq(conversations.id, id), readableBy(caller)));
  if (row === undefined) throw conversationNotFound();
  if (row.userId === null) canChange(caller, row.twin);
}
