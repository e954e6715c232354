/** Unparsable events, kept for the owner, who retries or discards them. */
import { and, eq } from "drizzle-orm";
import { keepableJson } from "#server/inbox/channel-protocol/keepable-json.ts";
import { noteEvent } from "#server/inbox/channels/event-log.ts";
import { asTenant, type Database } from "#server/platform/db/database.ts";
import { setAsideEvents } from "#server/platform/db/schema/channels.ts";
import { type LeasedCursor, moveCursor } from "./inbox.ts";
import type { ReceivingIntegration } from "./receiving-integration.ts";

const TITLE_CHARS = 200;
/** Milliseconds that a set-aside event is kept, whatever the owner does. */
export const SET_ASIDE_KEPT_MS = 30 * 24 * 3600_000;

interface Unread {
  name: string;
  title: string;
  /** A Russian sentence without its full stop. */
  reason: string;
  raw: unknown;
}

/** Stores in one transaction the event, the cursor after it and the owner's notice. */
export async function setAside(
  db: Database,
  integration: ReceivingIntegration,
  { name, title, reason, raw }: Unread,
  cursor?: LeasedCursor,
): Promise<void> {
  const { id, organizationId: orgId } = integration;
  const shown = title.slice(0, TITLE_CHARS).toWellFormed();
  await asTenant(db, integration, async (tx) => {
    if (cursor !== undefined) await moveCursor(tx, id, cursor);
    await tx
      .insert(setAsideEvents)
      .values({ orgId, integrationId: id, name, title: shown, reason, raw: keepableJson(raw) })
      .onConflictDoUpdate({
        target: [setAsideEvents.integrationId, setAsideEvents.name],
        set: { reason, state: "aside" },
      });
    await noteEvent(tx, orgId, id, `${shown} отложено. ${reason}. Оно ждёт вас в «Отложенном», остальное принимается`);
  });
}

export function eventNamesToRetry(db: Database, integration: ReceivingIntegration): Promise<string[]> {
  return asTenant(db, integration, async (tx) => {
    const rows = await tx
      .select({ name: setAsideEvents.name })
      .from(setAsideEvents)
      .where(and(eq(setAsideEvents.integrationId, integration.id), eq(setAsideEvents.state, "again")));
    return rows.map(({ name }) => name);
  });
}

/** Deletes the event after it was parsed at last. */
export async function settleSetAside(db: Database, integration: ReceivingIntegration, name: string): Promise<void> {
  const { id, organizationId } = integration;
  await asTenant(db, integration, async (tx) => {
    const settled = await tx
      .delete(setAsideEvents)
      .where(and(eq(setAsideEvents.integrationId, id), eq(setAsideEvents.name, name)))
      .returning({ title: setAsideEvents.title });
    for (const { title } of settled) await noteEvent(tx, organizationId, id, `${title}: прочитано`);
  });
}
