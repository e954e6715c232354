/** Manages all organisations, for the platform's administrators, and lists a person's own, for switching between them. */
import { and, asc, count, desc, eq, inArray, sql, sum } from "drizzle-orm";
import type * as z from "zod/mini";
import type { OwnOrganization } from "#contract/organizations/auth.ts";
import { DEFAULT_PLAN, type InviteInput, PAGE_SIZE } from "#contract/organizations/organizations.ts";
import type {
  NewOrganizationInput,
  OrganizationChange,
  OrganizationDetail,
  OrganizationSummary,
  PlatformPayment,
} from "#contract/organizations/platform.ts";
import { audit } from "#server/accounts/auth/audit.ts";
import { NO_SESSION } from "#server/accounts/auth/sessions.ts";
import { asPlatform, type Database, type Tx } from "#server/platform/db/database.ts";
import { memberships, organizations, payments, sessions, subscriptions } from "#server/platform/db/schema/accounts.ts";
import { dailyUsage, twins } from "#server/platform/db/schema/twins.ts";
import { conflict, notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";
import { invite } from "./invitations.ts";
import { organizationNotFound, searchPattern } from "./platform-rows.ts";
import {
  givePlan,
  listPlans,
  olderThan,
  plansById,
  settlePayment,
  subscriptionOf,
  toPayment,
} from "./subscriptions.ts";

type OrganizationRow = typeof organizations.$inferSelect;

/** Lists the newest first, page by page. */
export async function listOrganizations(
  db: Database,
  { after, q = "" }: { after?: string | undefined; q?: string | undefined },
): Promise<OrganizationSummary[]> {
  const rows = await db
    .select()
    .from(organizations)
    .where(
      and(
        q.trim() === "" ? undefined : sql`${organizations.name} ilike ${searchPattern(q)}`,
        after === undefined
          ? undefined
          : sql`(${organizations.createdAt}, ${organizations.id}) < (
              select o.created_at, o.id from ${organizations} o where o.id = ${after})`,
      ),
    )
    .orderBy(desc(organizations.createdAt), desc(organizations.id))
    .limit(PAGE_SIZE);
  return summaries(db, rows);
}

async function summaries(db: Database, rows: readonly OrganizationRow[]): Promise<OrganizationSummary[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const members = await db
    .select({ orgId: memberships.orgId, value: count() })
    .from(memberships)
    .where(inArray(memberships.orgId, ids))
    .groupBy(memberships.orgId);
  const counted = await asPlatform(db, async (tx) => ({
    twins: await tx
      .select({ orgId: twins.orgId, value: count() })
      .from(twins)
      .where(inArray(twins.orgId, ids))
      .groupBy(twins.orgId),
    messages: await tx
      .select({ orgId: dailyUsage.orgId, value: sum(dailyUsage.messages).mapWith(Number) })
      .from(dailyUsage)
      .where(inArray(dailyUsage.orgId, ids))
      .groupBy(dailyUsage.orgId),
    plans: await tx.select().from(subscriptions).where(inArray(subscriptions.orgId, ids)),
  }));
  const names = new Map((await listPlans(db, "all")).map(({ id, name }) => [id, name]));
  const of = (values: { orgId: string; value: number | null }[], id: string) =>
    values.find(({ orgId }) => orgId === id)?.value ?? 0;
  return rows.map(({ id, name, createdAt }) => ({
    id,
    name,
    users: of(members, id),
    twins: of(counted.twins, id),
    messages: of(counted.messages, id),
    planName: names.get(counted.plans.find(({ orgId }) => orgId === id)?.planId ?? DEFAULT_PLAN)!,
    createdAt: createdAt.toISOString(),
  }));
}

/** Creates an organisation without members and invites its first administrator. Returns the token of the letter. */
export async function addOrganization(
  db: Database,
  actor: { userId: string },
  { name, email }: z.output<typeof NewOrganizationInput>,
): Promise<{ organization: OrganizationSummary; token: string }> {
  const { row, token } = await db.transaction(async (tx) => {
    const [row] = await tx.insert(organizations).values({ name }).returning();
    const acting = { userId: actor.userId, organizationId: row!.id };
    await audit(tx, { action: "organization-added", ...acting });
    const administrator = { email, firstName: "", lastName: "", role: "org_admin" } satisfies z.output<
      typeof InviteInput
    >;
    return { row: row!, token: (await invite(tx, acting, administrator)).token };
  });
  return { organization: (await summaries(db, [row]))[0]!, token };
}

/** @throws Problem 404 */
export async function getOrganization(
  db: Database,
  actor: { userId: string },
  id: string,
): Promise<OrganizationDetail> {
  const row = await organizationRow(db, id);
  const acting = { userId: actor.userId, organizationId: row.id };
  return {
    id: row.id,
    name: row.name,
    createdAt: row.createdAt.toISOString(),
    subscription: await subscriptionOf(db, acting, { invoices: true }),
  };
}

/** @throws Problem 404 for the organisation or the plan */
export async function changeOrganization(
  db: Database,
  actor: { userId: string },
  id: string,
  { name, planId }: z.output<typeof OrganizationChange>,
): Promise<OrganizationDetail> {
  const acting = { userId: actor.userId, organizationId: (await organizationRow(db, id)).id };
  if (planId !== undefined) await givePlan(db, acting, planId);
  if (name !== undefined) {
    await db.transaction(async (tx) => {
      await tx.update(organizations).set({ name }).where(eq(organizations.id, id));
      await audit(tx, { action: "organization-renamed", ...acting });
    });
  }
  return getOrganization(db, actor, id);
}

/** @throws Problem 404 */
export async function organizationRow(db: Tx, id: string): Promise<OrganizationRow> {
  const [row] = await db.select().from(organizations).where(eq(organizations.id, id));
  if (row === undefined) throw organizationNotFound();
  return row;
}

/** Lists invoices of all organisations, the newest first. */
export async function listAllPayments(
  db: Database,
  { after, status }: { after?: string | undefined; status?: PlatformPayment["status"] | undefined },
): Promise<PlatformPayment[]> {
  const rows = await asPlatform(db, (tx) =>
    tx
      .select()
      .from(payments)
      .where(
        and(
          status === undefined ? undefined : eq(payments.status, status),
          after === undefined ? undefined : olderThan(after),
        ),
      )
      .orderBy(desc(payments.createdAt), desc(payments.id))
      .limit(PAGE_SIZE),
  );
  if (rows.length === 0) return [];
  const plans = await plansById(
    db,
    rows.map(({ planId }) => planId),
  );
  const names = await db
    .select({ id: organizations.id, name: organizations.name })
    .from(organizations)
    .where(
      inArray(
        organizations.id,
        rows.map(({ orgId }) => orgId),
      ),
    );
  return rows.map((row) => ({
    ...toPayment(row, plans),
    organizationId: row.orgId,
    organizationName: names.find(({ id }) => id === row.orgId)!.name,
  }));
}

/** @throws Problem 404, 409 when it is closed already */
export async function settleAnyPayment(
  db: Database,
  actor: { userId: string },
  id: string,
  status: "paid" | "cancelled",
): Promise<PlatformPayment> {
  const [row] = await asPlatform(db, (tx) =>
    tx.select({ orgId: payments.orgId }).from(payments).where(eq(payments.id, id)),
  );
  if (row === undefined) throw notFound("Счёт не найден", "payment_not_found");
  const payment = await settlePayment(db, { userId: actor.userId, organizationId: row.orgId }, id, status);
  const { name } = await organizationRow(db, row.orgId);
  return { ...payment, organizationId: row.orgId, organizationName: name };
}

/** Lists the caller's organisations, the oldest membership first. */
export async function ownOrganizations(db: Tx, caller: Caller): Promise<OwnOrganization[]> {
  const rows = await db
    .select({ id: organizations.id, name: organizations.name, role: memberships.role })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.orgId))
    .where(eq(memberships.userId, caller.userId))
    .orderBy(asc(memberships.createdAt), asc(memberships.orgId));
  return rows.map((row) => ({ ...row, current: row.id === caller.organizationId }));
}

/**
 * Switches the session to another of the caller's organisations.
 * @throws Problem 404 for any other organisation, 409 for demo mode's fixed token, which has no session
 */
export async function switchOrganization(db: Database, caller: Caller, organizationId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [membership] = await tx
      .select({ role: memberships.role })
      .from(memberships)
      .where(and(eq(memberships.userId, caller.userId), eq(memberships.orgId, organizationId)))
      .for("key share");
    if (membership === undefined) throw organizationNotFound();
    if (caller.sessionId === NO_SESSION) {
      throw conflict("no_session", "С тестовым токеном организацию сменить нельзя. Войдите обычным способом.");
    }
    await tx.update(sessions).set({ orgId: organizationId }).where(eq(sessions.id, caller.sessionId));
    await audit(tx, { action: "organization-switched", userId: caller.userId, organizationId });
  });
}
