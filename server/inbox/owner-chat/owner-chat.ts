/** A member's own chat with a twin's bot: linked by a secret code, and loaded again before each use. */
import { and, eq, gt } from "drizzle-orm";
import { OWNER_LINK_MINUTES, type OwnerChat, type OwnerLink } from "#contract/integrations/owner-chat.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { findMember, hashToken, newToken } from "#server/accounts/auth/sessions.ts";
import { mayChangeTwin } from "#server/accounts/organizations/access.ts";
import { openCredentials } from "#server/inbox/channels/credentials.ts";
import { noteEvent } from "#server/inbox/channels/event-log.ts";
import { getChangeableIntegration, getIntegrationRow } from "#server/inbox/channels/integration-rows.ts";
import { openChannel, type ProviderAddresses } from "#server/inbox/channels/registry.ts";
import { CODE_PREFIX } from "#server/inbox/incoming/chats-of-owners.ts";
import type { ReceivingIntegration } from "#server/inbox/incoming/receiving-integration.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { integrations, ownerChats } from "#server/platform/db/schema/channels.ts";
import { ownerNotices } from "#server/platform/db/schema/owner-notices.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { conflict } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import type { Vault } from "#server/platform/secrets/vault.ts";

export type OwnerChatRow = typeof ownerChats.$inferSelect;

/** Returns the caller's own chat; a colleague's cannot be read. @throws Problem 404 */
export function readOwnerChat(db: Database, caller: Caller, id: string): Promise<OwnerChat> {
  return asTenant(db, caller, async (tx) => {
    await getIntegrationRow(tx, caller, id);
    const [row] = await tx
      .select()
      .from(ownerChats)
      .where(and(eq(ownerChats.integrationId, id), eq(ownerChats.userId, caller.userId)));
    return { name: row?.name ?? null, linkedAt: row?.linkedAt?.toISOString() ?? null };
  });
}

/**
 * Creates a link and ends the previous one; a linked chat stays linked until the new link is opened.
 * @throws Problem 404, 403; 409 when there is no bot, or its name is not known yet
 */
export function linkOwnerChat(
  { db, vault, config }: { db: Database; vault: Vault; config: ProviderAddresses },
  caller: Caller,
  id: string,
): Promise<OwnerLink> {
  return asTenant(db, caller, async (tx) => {
    const { account } = await getChangeableIntegration(tx, caller, id);
    const [row] = await tx.select().from(integrations).where(eq(integrations.id, id));
    const ownerChat = openChannel(openCredentials(vault, row!), config, row!)?.ownerChat;
    if (ownerChat === undefined) throw conflict("no_bot", "Черновики приходят только в чат с ботом");
    if (account === null) throw conflict("not_connected", "Бот ещё не подключён: подождите, пока он ответит");
    const code = `${CODE_PREFIX}${newToken()}`;
    const codeExpiresAt = new Date(Date.now() + OWNER_LINK_MINUTES * 60_000);
    const waiting = { codeHash: hashToken(code), codeExpiresAt };
    await tx
      .insert(ownerChats)
      .values({ orgId: caller.organizationId, integrationId: id, userId: caller.userId, ...waiting })
      .onConflictDoUpdate({ target: [ownerChats.integrationId, ownerChats.userId], set: waiting });
    return { url: ownerChat.linkTo(account, code), expiresAt: codeExpiresAt.toISOString() };
  });
}

/** Forgets the messages shown in the chat; buttons pressed there later do nothing. @throws Problem 404, 403 */
export function unlinkOwnerChat(db: Database, caller: Caller, id: string): Promise<void> {
  return asTenant(db, caller, async (tx) => {
    await getChangeableIntegration(tx, caller, id);
    const [row] = await tx
      .select()
      .from(ownerChats)
      .where(and(eq(ownerChats.integrationId, id), eq(ownerChats.userId, caller.userId)));
    if (row !== undefined) await endOwnerChat(tx, row, "Чат для решений по черновикам отвязан");
  });
}

/** @param said the sentence for the integration's log */
export async function endOwnerChat(tx: Tx, row: OwnerChatRow, said: string): Promise<void> {
  const { id, orgId, userId, integrationId, chatId } = row;
  await tx.delete(ownerChats).where(eq(ownerChats.id, id));
  if (chatId === null) return;
  await noteEvent(tx, orgId, integrationId, said);
  await auditInTenant(tx, { action: "owner-chat-unlinked", userId, organizationId: orgId, subject: integrationId });
}

/** Returns the linked chat; null: it is not linked. */
export async function findOwnerChat(tx: Tx, integrationId: string, chatId: string): Promise<OwnerChatRow | null> {
  const [row] = await tx
    .select()
    .from(ownerChats)
    .where(and(eq(ownerChats.integrationId, integrationId), eq(ownerChats.chatId, chatId)));
  return row ?? null;
}

/** Uses the code up; returns null when it is unknown, used, expired, or its member may not decide any more. */
export async function bindOwnerChat(
  db: Database,
  integration: ReceivingIntegration,
  code: string,
  chat: { id: string; name: string },
): Promise<OwnerChatRow | null> {
  const waits = and(
    eq(ownerChats.integrationId, integration.id),
    eq(ownerChats.codeHash, hashToken(code)),
    gt(ownerChats.codeExpiresAt, new Date()),
  );
  const [asked] = await asTenant(db, integration, (tx) =>
    tx
      .select({ userId: ownerChats.userId, twin: { orgId: twins.orgId, ownerId: twins.ownerId } })
      .from(ownerChats)
      .innerJoin(integrations, eq(integrations.id, ownerChats.integrationId))
      .innerJoin(twins, eq(twins.id, integrations.twinId))
      .where(waits),
  );
  if (asked === undefined) return null;
  const member = await findMember(db, { ...integration, userId: asked.userId });
  if (member === null || !mayChangeTwin(member, asked.twin)) return null;
  return asTenant(db, integration, async (tx) => {
    const [before] = await tx.select().from(ownerChats).where(waits).for("update");
    if (before === undefined) return null;
    const { organizationId, id } = integration;
    // A chat belongs to one member: the last who opened his own link there.
    const other = await findOwnerChat(tx, id, chat.id);
    if (other !== null && other.id !== before.id) await endOwnerChat(tx, other, "Чат с ботом связал другой участник");
    // Messages in the former chat are no longer updated, so their rows are deleted.
    if (before.chatId !== chat.id) await tx.delete(ownerNotices).where(eq(ownerNotices.ownerChatId, before.id));
    const [row] = await tx
      .update(ownerChats)
      .set({ codeHash: null, codeExpiresAt: null, chatId: chat.id, name: chat.name, linkedAt: new Date() })
      .where(eq(ownerChats.id, before.id))
      .returning();
    await noteEvent(tx, organizationId, id, "Черновики приходят на решение в чат с ботом");
    await auditInTenant(tx, { action: "owner-chat-linked", userId: member.userId, organizationId, subject: id });
    return row!;
  });
}
