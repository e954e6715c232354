/**
 * Telegram Business: people connect chats of their own account to the bot. Any Telegram user may offer a connection; the owner must accept
 * it.
 */
import { and, desc, eq, lt } from "drizzle-orm";
import type { BusinessConnection } from "#contract/organizations/business.ts";
import type { BusinessConnectionChange } from "#server/inbox/channel-protocol/channel.ts";
import { noteEvent } from "#server/inbox/channels/event-log.ts";
import { getChangeableIntegration, getIntegrationRow } from "#server/inbox/channels/integration-rows.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { businessConnections } from "#server/platform/db/schema/channels.ts";
import { notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";

interface Place {
  id: string;
  organizationId: string;
}

/** Updates may arrive in any order; an older one changes nothing. */
export async function noteBusinessConnection(
  tx: Tx,
  { id, organizationId }: Place,
  { connection, order }: BusinessConnectionChange,
): Promise<void> {
  const { externalId, ...state } = connection;
  const [row] = await tx
    .insert(businessConnections)
    .values({ orgId: organizationId, integrationId: id, externalId, ...state, order })
    .onConflictDoUpdate({
      target: [businessConnections.integrationId, businessConnections.externalId],
      set: { ...state, order },
      setWhere: lt(businessConnections.order, order),
    })
    .returning({ acceptedAt: businessConnections.acceptedAt });
  if (row === undefined) return;
  const { name, enabled, canReply } = connection;
  const said = !enabled
    ? "больше не даёт боту свои чаты"
    : row.acceptedAt === null
      ? "даёт боту свои чаты: разрешите это на этой странице"
      : canReply
        ? "даёт боту отвечать в своих чатах"
        : "даёт боту чаты без права отвечать";
  await noteEvent(tx, organizationId, id, `Telegram Business: ${name} ${said}`);
}

/** Returns whether the owner has accepted this connection, so that its chats may be read. */
export async function isBusinessConnected(tx: Tx, integrationId: string, externalId: string): Promise<boolean> {
  const found = await connectionOf(tx, integrationId, externalId);
  return found?.enabled === true && found.acceptedAt !== null;
}

/** Returns why nothing may be sent there now, a Russian sentence for the owner; null: sending is allowed. */
export async function businessConnectionObstacle(
  tx: Tx,
  integrationId: string,
  externalId: string,
): Promise<string | null> {
  const found = await connectionOf(tx, integrationId, externalId);
  if (found === undefined || !found.enabled) return "Бот отключён от аккаунта в Telegram Business";
  if (found.acceptedAt === null) return "Вы не разрешили отвечать от имени этого аккаунта";
  return found.canReply ? null : "В Telegram Business боту не дано право отвечать";
}

async function connectionOf(tx: Tx, integrationId: string, externalId: string) {
  const [found] = await tx
    .select()
    .from(businessConnections)
    .where(and(eq(businessConnections.integrationId, integrationId), eq(businessConnections.externalId, externalId)));
  return found;
}

/** @throws Problem 404 */
export function listBusiness(db: Database, caller: Caller, id: string): Promise<BusinessConnection[]> {
  return asTenant(db, caller, async (tx) => {
    await getIntegrationRow(tx, caller, id);
    const rows = await tx
      .select()
      .from(businessConnections)
      .where(eq(businessConnections.integrationId, id))
      .orderBy(desc(businessConnections.createdAt), desc(businessConnections.id));
    return rows.map(shown);
  });
}

/** @throws Problem 404, 403 */
export function acceptBusiness(
  db: Database,
  caller: Caller,
  { id, connectionId }: { id: string; connectionId: string },
  accepted: boolean,
): Promise<BusinessConnection> {
  return asTenant(db, caller, async (tx) => {
    await getChangeableIntegration(tx, caller, id);
    const [row] = await tx
      .update(businessConnections)
      .set({ acceptedAt: accepted ? new Date() : null })
      .where(and(eq(businessConnections.id, connectionId), eq(businessConnections.integrationId, id)))
      .returning();
    if (row === undefined) throw notFound("Подключение не найдено", "connection_not_found");
    const said = accepted ? "вы разрешили отвечать в чатах" : "вы запретили отвечать в чатах";
    await noteEvent(tx, caller.organizationId, id, `Telegram Business: ${row.name}, ${said}`);
    return shown(row);
  });
}

const shown = ({ id, name, canReply, enabled, acceptedAt }: typeof businessConnections.$inferSelect) => ({
  id,
  name,
  canReply,
  enabled,
  accepted: acceptedAt !== null,
});
