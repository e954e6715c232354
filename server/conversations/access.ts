/** Whose a conversation is. */
import { and, eq, isNull, or } from "drizzle-orm";
import type { Tenant, Tx } from "#server/db/database.ts";
import { conversations, twins } from "#server/db/schema.ts";
import { notFound } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import { canChange } from "#server/organizations/access.ts";

export const conversationNotFound = () => notFound("Диалог не найден", "conversation_not_found");

/** A test chat belongs to the member who opened it; a contact's conversation to all who may read the twin. */
export const readableBy = (viewer: Tenant) =>
  and(
    eq(conversations.orgId, viewer.organizationId),
    or(isNull(conversations.userId), eq(conversations.userId, viewer.userId)),
  );

/**
 * Of a contact's conversation only who may change the twin decides; a test chat is its member's alone.
 * @throws Problem 404, 403
 */
export async function canChangeConversation(tx: Tx, viewer: Viewer, id: string): Promise<void> {
  const [row] = await tx
    .select({ userId: conversations.userId, twin: { orgId: twins.orgId, ownerId: twins.ownerId } })
    .from(conversations)
    .innerJoin(twins, eq(twins.id, conversations.twinId))
    .where(and(eq(conversations.id, id), readableBy(viewer)));
  if (row === undefined) throw conversationNotFound();
  if (row.userId === null) canChange(viewer, row.twin);
}
