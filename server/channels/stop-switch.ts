/** All twins of an organisation fall silent at once: what waits to go out becomes a draft, and nothing is sent until somebody switches back. */
import { and, asc, eq, isNull } from "drizzle-orm";
import type { StopSwitch } from "#contract/stop-switch.ts";
import { auditInTenant } from "#server/auth/audit.ts";
import { asTenant, type Database, type Tx } from "#server/db/database.ts";
import { integrations, outbox, twinStops, users } from "#server/db/schema.ts";
import { forbidden } from "#server/errors.ts";
import type { Viewer } from "#server/http.ts";
import { mayResumeTwins } from "#server/organizations/access.ts";
import { ALL_STOPPED } from "./answer-rules.ts";

type Stop = typeof twinStops.$inferSelect;

async function stopOf(tx: Tx, organizationId: string): Promise<Stop | undefined> {
  const [stop] = await tx.select().from(twinStops).where(eq(twinStops.orgId, organizationId));
  return stop;
}

export const isStopped = async (tx: Tx, organizationId: string): Promise<boolean> =>
  (await stopOf(tx, organizationId)) !== undefined;

export async function readStopSwitch(db: Database, viewer: Viewer): Promise<StopSwitch> {
  const stop = await asTenant(db, viewer, (tx) => stopOf(tx, viewer.organizationId));
  return shown(db, viewer, stop);
}

/**
 * After the answer of a stop no send begins any more.
 * @throws Problem 403 for a member who may not let the twins answer again
 */
export async function setStopSwitch(db: Database, viewer: Viewer, stopped: boolean): Promise<StopSwitch> {
  const stop = await asTenant(db, viewer, (tx) => (stopped ? stopAll(tx, viewer) : resumeAll(tx, viewer)));
  return shown(db, viewer, stop);
}

async function stopAll(tx: Tx, viewer: Viewer): Promise<Stop | undefined> {
  const { organizationId: orgId, userId } = viewer;
  // Whoever is about to send holds its integration: it has committed «sending» by now, or will look after us.
  await tx
    .select({ id: integrations.id })
    .from(integrations)
    .where(eq(integrations.orgId, orgId))
    .orderBy(asc(integrations.id))
    .for("no key update");
  const [made] = await tx.insert(twinStops).values({ orgId, stoppedBy: userId }).onConflictDoNothing().returning();
  if (made === undefined) return stopOf(tx, orgId);
  // The owner's own words are not the twins'.
  await tx
    .update(outbox)
    .set({ state: "draft", reason: ALL_STOPPED })
    .where(and(eq(outbox.orgId, orgId), eq(outbox.state, "pending"), isNull(outbox.author)));
  await auditInTenant(tx, { action: "twins-stopped", userId, organizationId: orgId });
  return made;
}

async function resumeAll(tx: Tx, viewer: Viewer): Promise<undefined> {
  const { organizationId, userId } = viewer;
  const stop = await stopOf(tx, organizationId);
  if (stop === undefined) return;
  if (!mayResumeTwins(viewer, stop)) {
    throw forbidden("forbidden", "Включить двойников может администратор или тот, кто их остановил");
  }
  await tx.delete(twinStops).where(eq(twinStops.orgId, organizationId));
  await auditInTenant(tx, { action: "twins-resumed", userId, organizationId });
}

async function shown(db: Database, viewer: Viewer, stop: Stop | undefined): Promise<StopSwitch> {
  if (stop === undefined) return { stopped: false, since: null, by: null, mayResume: false };
  const [person] = await db
    .select({ firstName: users.firstName, lastName: users.lastName })
    .from(users)
    .where(eq(users.id, stop.stoppedBy));
  return {
    stopped: true,
    since: stop.stoppedAt.toISOString(),
    by: person === undefined ? null : `${person.firstName} ${person.lastName}`.trim(),
    mayResume: mayResumeTwins(viewer, stop),
  };
}
