/** What could not be read: kept for the owner, who has it read again or puts it away. */
import { and, eq, lt } from "drizzle-orm";
import { asTenant, type Database, type Tx } from "#server/db/database.ts";
import { setAsideEvents } from "#server/db/schema.ts";
import { noteEvent } from "../event-log.ts";
import { type LeasedCursor, moveCursor, type ReceivingIntegration } from "../inbox.ts";

/** As much of an event is kept as it came. */
const RAW_CHARS = 256 * 1024;
const TITLE_CHARS = 200;
/** Kept no longer, whatever the owner does about it. */
export const SET_ASIDE_KEPT_MS = 30 * 24 * 3600_000;

interface Unread {
  name: string;
  title: string;
  /** A Russian sentence without its full stop. */
  reason: string;
  raw: unknown;
}

/** In one transaction: the event, the cursor behind it and the owner's news of it. */
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
      .values({ orgId, integrationId: id, name, title: shown, reason, raw: rawOf(raw) })
      .onConflictDoUpdate({
        target: [setAsideEvents.integrationId, setAsideEvents.name],
        set: { reason, state: "aside" },
      });
    await noteEvent(tx, orgId, id, `${shown} отложено. ${reason}. Оно ждёт вас в «Отложенном», остальное принимается`);
  });
}

/** What is too long to be kept, or what PostgreSQL's JSON cannot hold, cannot be read again. */
function rawOf(raw: unknown): unknown {
  if (raw === undefined) return null;
  const json = JSON.stringify(raw);
  return json.length > RAW_CHARS || json.includes("\\u0000") || !json.isWellFormed() ? null : raw;
}

export function namesToReadAgain(db: Database, integration: ReceivingIntegration): Promise<string[]> {
  return asTenant(db, integration, async (tx) => {
    const rows = await tx
      .select({ name: setAsideEvents.name })
      .from(setAsideEvents)
      .where(and(eq(setAsideEvents.integrationId, integration.id), eq(setAsideEvents.state, "again")));
    return rows.map(({ name }) => name);
  });
}

/** It was read at last. */
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

/** For the sweep: organisations in which something has had its time. */
export function withOldSetAside(tx: Tx, before: Date): Promise<{ organizationId: string }[]> {
  return tx
    .selectDistinct({ organizationId: setAsideEvents.orgId })
    .from(setAsideEvents)
    .where(lt(setAsideEvents.createdAt, before));
}

/** In one organisation's transaction. */
export async function pruneSetAside(tx: Tx, before: Date): Promise<void> {
  await tx.delete(setAsideEvents).where(lt(setAsideEvents.createdAt, before));
}
