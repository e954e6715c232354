/** Silences all twins of an organisation at once: waiting answers become drafts, and nothing is sent until a member switches back. */
import { and, asc, eq, isNull } from "drizzle-orm";
import type { StopSwitch } from "#contract/organizations/stop-switch.ts";
import { auditInTenant } from "#server/accounts/auth/audit.ts";
import { mayResumeTwins } from "#server/accounts/organizations/access.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { users } from "#server/platform/db/schema/accounts.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { outbox } from "#server/platform/db/schema/conversations.ts";
import { twinStops } from "#server/platform/db/schema/twins.ts";
import { forbidden } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { ALL_STOPPED } from "./answer-policy.ts";

type Stop = typeof twinStops.$inferSelect;

async function stopOf(tx: Tx, organizationId: string): Promise<Stop | undefined> {
  const [stop] = await tx.select().from(twinStops).where(eq(twinStops.orgId, organizationId));
  return stop;
}

export const isStopped = async (tx: Tx, organizationId: string): Promise<boolean> =>
  (await stopOf(tx, organizationId)) !== undefined;

export async function readStopSwitch(db: Database, caller: Caller): Promise<StopSwitch> {
  const stop = await asTenant(db, caller, (tx) => stopOf(tx, caller.organizationId));
  return shown(db, caller, stop);
}

/**
 * After a stop has returned, no send begins any more.
 * @throws Problem 403 for a member who may not start the twins again
 */
export async function setStopSwitch(db: Database, caller: Caller, stopped: boolean): Promise<StopSwitch> {
  const stop = await asTenant(db, caller, (tx) => (stopped ? stopAll(tx, caller) : resumeAll(tx, caller)));
  return shown(db, caller, stop);
}

async function stopAll(tx: Tx, caller: Caller): Promise<Stop | undefined> {
  const { organizationId: orgId, userId } = caller;
  // Each sender locks its integration: it has committed «sending» by now, or will see the switch after us.
  await tx
    .select({ id: integrations.id })
    .from(integrations)
    .where(eq(integrations.orgId, orgId))
    .orderBy(asc(integrations.id))
    .for("no key update");
  const [made] = await tx.insert(twinStops).values({ orgId, stoppedBy: userId }).onConflictDoNothing().returning();
  if (made === undefined) return stopOf(tx, orgId);
  // The switch does not stop the owner's own messages.
  await tx
    .update(outbox)
    .set({ state: "draft", reason: ALL_STOPPED })
    .where(and(eq(outbox.orgId, orgId), eq(outbox.state, "pending"), isNull(outbox.author)));
  await auditInTenant(tx, { action: "twins-stopped", userId, organizationId: orgId });
  return made;
}

async function resumeAll(tx: Tx, caller: Caller): Promise<undefined> {
  const { organizationId, userId } = caller;
  const stop = await stopOf(tx, organizationId);
  if (stop === undefined) return;
  if (!mayResumeTwins(caller, stop)) {
    throw forbidden("forbidden", "Включить двойников может администратор или тот, кто их остановил");
  }
  await tx.delete(twinStops).where(eq(twinStops.orgId, organizationId));
  await auditInTenant(tx, { action: "twins-resumed", userId, organizationId });
}

async function shown(db: Database, caller: Caller, stop: Stop | undefined): Promise<StopSwitch> {
  if (stop === undefined) return { stopped: false, since: null, by: null, mayResume: false };
  const [person] = await db
    .select({ firstName: users.firstName, lastName: users.lastName })
    .from(users)
    .where(eq(users.id, stop.stoppedBy));
  return {
    stopped: true,
    since: stop.stoppedAt.toISOString(),
    by: person === undefined ? null : `${person.firstName} ${person.lastName}`.trim(),
    mayResume: mayResumeTwins(caller, stop),
  };
}
