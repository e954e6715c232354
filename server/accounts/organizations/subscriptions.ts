/** Plans, an organisation's use of them, and invoices. No payment provider is connected: the platform's administrators close invoices. */
import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import type * as z from "zod/mini";
import { DEFAULT_PLAN, PAGE_SIZE, type Payment, type Subscription } from "#contract/organizations/organizations.ts";
import type { PlanInput } from "#contract/organizations/platform.ts";
import type { SubscriptionPlan } from "#contract/plans/plans.ts";
import { audit, auditInTenant } from "#server/accounts/auth/audit.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { payments, subscriptionPlans, subscriptions } from "#server/platform/db/schema/accounts.ts";
import { conflict, notFound, unprocessable } from "#server/platform/errors.ts";

type PlanRow = typeof subscriptionPlans.$inferSelect;
type PaymentRow = typeof payments.$inferSelect;

/** Lists plans in their configured order; `active` leaves out plans that cannot be chosen. */
export async function listPlans(db: Tx, which: "all" | "active"): Promise<SubscriptionPlan[]> {
  const rows = await db
    .select()
    .from(subscriptionPlans)
    .where(which === "active" ? eq(subscriptionPlans.isActive, true) : undefined)
    .orderBy(asc(subscriptionPlans.place), asc(subscriptionPlans.id));
  return rows.map(toPlan);
}

/** @throws Problem 404; 422 when the initial plan would get a price or be removed */
export async function changePlan(
  db: Database,
  actor: { userId: string },
  id: string,
  input: z.output<typeof PlanInput>,
): Promise<SubscriptionPlan> {
  if (id === DEFAULT_PLAN && (input.price > 0 || !input.isActive)) {
    throw unprocessable("default_plan", "С этого плана начинают все: он остаётся бесплатным и включённым");
  }
  return db.transaction(async (tx) => {
    const [row] = await tx
      .update(subscriptionPlans)
      .set({ ...input, updatedAt: new Date() })
      .where(eq(subscriptionPlans.id, id))
      .returning();
    if (row === undefined) throw planNotFound();
    await audit(tx, { action: "plan-edited", userId: actor.userId, subject: id, detail: { ...input } });
    return toPlan(row);
  });
}

/** @param shown whether the member may see invoices; otherwise `pending` is null */
export async function subscriptionOf(
  db: Database,
  tenant: Tenant,
  shown: { invoices: boolean },
): Promise<Subscription> {
  const { current, pending } = await asTenant(db, tenant, async (tx) => ({
    current: await currentRow(tx, tenant),
    pending: shown.invoices ? await pendingRow(tx, tenant) : undefined,
  }));
  const plans = await plansById(db, [current?.planId ?? DEFAULT_PLAN, ...(pending ? [pending.planId] : [])]);
  return {
    plan: toPlan(plans.get(current?.planId ?? DEFAULT_PLAN)!),
    status: "active",
    since: current?.since.toISOString() ?? null,
    pending: pending === undefined ? null : toPayment(pending, plans),
  };
}

/**
 * Switches to a free plan at once; for a paid one, creates an invoice that an administrator has to close. Choosing the present plan cancels
 * a waiting invoice.
 * @throws Problem 404 for a plan that cannot be chosen, 409 for the present plan
 */
export async function choosePlan(db: Database, tenant: Tenant, planId: string): Promise<Subscription> {
  const [plan] = await db
    .select()
    .from(subscriptionPlans)
    .where(and(eq(subscriptionPlans.id, planId), eq(subscriptionPlans.isActive, true)));
  if (plan === undefined) throw planNotFound();
  await asTenant(db, tenant, async (tx) => {
    await takeTurns(tx, tenant);
    const current = (await currentRow(tx, tenant))?.planId ?? DEFAULT_PLAN;
    const pending = await pendingRow(tx, tenant);
    if (planId === current && pending === undefined) throw conflict("plan_current", "Этот план уже действует");
    if (pending?.planId === planId) return;
    await cancelPending(tx, tenant);
    if (planId !== current && plan.price === 0) await putSubscription(tx, tenant, planId);
    if (planId !== current && plan.price > 0) {
      await tx.insert(payments).values({ orgId: tenant.organizationId, planId, amount: plan.price });
    }
    await auditInTenant(tx, { action: "plan-chosen", ...tenant, subject: planId, detail: { price: plan.price } });
  });
  return subscriptionOf(db, tenant, { invoices: true });
}

/** Sets any plan at once, including one that customers cannot choose; for the platform's administrators. @throws Problem 404 */
export async function givePlan(db: Database, tenant: Tenant, planId: string): Promise<void> {
  const plans = await plansById(db, [planId]);
  if (!plans.has(planId)) throw planNotFound();
  await asTenant(db, tenant, async (tx) => {
    await takeTurns(tx, tenant);
    await cancelPending(tx, tenant);
    await putSubscription(tx, tenant, planId);
    await auditInTenant(tx, { action: "plan-chosen", ...tenant, subject: planId, detail: { given: true } });
  });
}

/** Lists the newest first. */
export async function listPayments(
  db: Database,
  tenant: Tenant,
  { after }: { after?: string | undefined },
): Promise<Payment[]> {
  const own = eq(payments.orgId, tenant.organizationId);
  const rows = await asTenant(db, tenant, (tx) =>
    tx
      .select()
      .from(payments)
      .where(and(own, after === undefined ? undefined : olderThan(after)))
      .orderBy(desc(payments.createdAt), desc(payments.id))
      .limit(PAGE_SIZE),
  );
  const plans = await plansById(
    db,
    rows.map(({ planId }) => planId),
  );
  return rows.map((row) => toPayment(row, plans));
}

/**
 * Closes an invoice; a paid one sets the plan.
 * @throws Problem 404, 409 when it is closed already
 */
export async function settlePayment(
  db: Database,
  tenant: Tenant,
  id: string,
  status: "paid" | "cancelled",
): Promise<Payment> {
  const row = await asTenant(db, tenant, async (tx) => {
    await takeTurns(tx, tenant);
    const [settled] = await tx
      .update(payments)
      .set({ status, paidAt: status === "paid" ? new Date() : null })
      .where(and(eq(payments.id, id), eq(payments.orgId, tenant.organizationId), eq(payments.status, "pending")))
      .returning();
    if (settled === undefined) throw conflict("payment_closed", "Этот счёт уже закрыт");
    if (status === "paid") await putSubscription(tx, tenant, settled.planId);
    await auditInTenant(tx, { action: "invoice-settled", ...tenant, subject: id, detail: { status } });
    return settled;
  });
  return toPayment(row, await plansById(db, [row.planId]));
}

/** SQL condition for the next page of a list: invoices older than the invoice `after`. */
export const olderThan = (after: string) => sql`(${payments.createdAt}, ${payments.id}) < (
  select p.created_at, p.id from ${payments} p where p.id = ${after})`;

/** Takes a lock that keeps two simultaneous choices of a plan from creating two invoices. */
const takeTurns = (tx: Tx, { organizationId }: Tenant) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${organizationId}, 2))`);

async function currentRow(tx: Tx, { organizationId }: Tenant) {
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.orgId, organizationId));
  return row;
}

const openInvoice = ({ organizationId }: Tenant) =>
  and(eq(payments.orgId, organizationId), eq(payments.status, "pending"));

async function pendingRow(tx: Tx, tenant: Tenant): Promise<PaymentRow | undefined> {
  const [row] = await tx.select().from(payments).where(openInvoice(tenant)).orderBy(desc(payments.createdAt)).limit(1);
  return row;
}

const cancelPending = (tx: Tx, tenant: Tenant) =>
  tx.update(payments).set({ status: "cancelled" }).where(openInvoice(tenant));

async function putSubscription(tx: Tx, { organizationId }: Tenant, planId: string): Promise<void> {
  const since = new Date();
  await tx
    .insert(subscriptions)
    .values({ orgId: organizationId, planId, since })
    .onConflictDoUpdate({ target: subscriptions.orgId, set: { planId, since } });
}

const planNotFound = () => notFound("План не найден", "plan_not_found");

export async function plansById(db: Tx, ids: readonly string[]): Promise<Map<string, PlanRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select()
    .from(subscriptionPlans)
    .where(inArray(subscriptionPlans.id, [...new Set(ids)]));
  return new Map(rows.map((row) => [row.id, row]));
}

function toPlan({ id, name, description, price, billingPeriod, isActive, features }: PlanRow): SubscriptionPlan {
  return { id, name, description, price, billingPeriod, isActive, features };
}

export function toPayment(row: PaymentRow, plans: ReadonlyMap<string, PlanRow>): Payment {
  return {
    id: row.id,
    planId: row.planId,
    planName: plans.get(row.planId)!.name,
    amount: row.amount,
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    paidAt: row.paidAt?.toISOString() ?? null,
  };
}
