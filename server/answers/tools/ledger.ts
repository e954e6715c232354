/**
 * The ledger of acts: one row for each call that a twin has proposed or made. Every change names the state that it leaves, so that two
 * processes never both go on with an act (docs/decisions/048-tools-and-acts.md).
 */
import { and, desc, eq, gte, inArray, lt, or, sql } from "drizzle-orm";
import { ACT_HOURS } from "#contract/actions/acts.ts";
import { unclearChange } from "#contract/actions/tool-settings.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { type ActArgument, acts, type ToolRow, tools } from "#server/platform/db/schema/tools.ts";

export type ActRow = typeof acts.$inferSelect;
type NewAct = Omit<typeof acts.$inferInsert, "orgId" | "twinId" | "toolId" | "title" | "changes">;

/** Refused attempts to prove something: of one person within a day, of all within an hour for one tool. */
export const ATTEMPTS = { ofPerson: 5, ofTool: 50 };
/** Milliseconds after which a call without an outcome has ended with its process. */
export const LOST_AFTER_MS = 60_000;

export const UNKNOWN_REASON =
  "Неизвестно, выполнено ли действие: сервер остановился, не дождавшись ответа. Проверьте в своей системе.";

/** @param tool `id` null: it is not saved yet */
export async function addAct(
  tx: Tx,
  tool: Pick<ToolRow, "orgId" | "twinId" | "title" | "changes"> & { id: string | null },
  act: NewAct,
): Promise<ActRow> {
  const { id: toolId, orgId, twinId, title, changes } = tool;
  const [row] = await tx
    .insert(acts)
    .values({ orgId, twinId, toolId, title, changes, ...waitingSince(act.state), ...act })
    .returning();
  return row!;
}

const waitingSince = (state: ActRow["state"]) => (state === "waiting-owner" ? { waitsSince: new Date() } : {});

/** @returns the changed act; null: it is no longer in that state, so somebody else has gone on with it */
export async function moveAct(
  tx: Tx,
  id: string,
  from: ActRow["state"],
  to: Partial<typeof acts.$inferInsert> & { state: ActRow["state"] },
): Promise<ActRow | null> {
  const ended = ["done", "refused", "failed", "unknown"].includes(to.state) ? { endedAt: new Date() } : {};
  const [row] = await tx
    .update(acts)
    .set({ ...ended, ...waitingSince(to.state), ...to })
    .where(and(eq(acts.id, id), eq(acts.state, from)))
    .returning();
  return row ?? null;
}

/** Whether it may be called at all: its owner has it on, and has said what its method leaves open. */
export const isCallable = ({ enabled, degree, settings, changes }: ToolRow): boolean =>
  enabled && degree !== "never" && unclearChange(settings, changes) === null;

/** Locks the tool against concurrent attempts and changes of its settings. @returns null: it was deleted or may not be called */
export async function lockTool(tx: Tx, id: string): Promise<ToolRow | null> {
  const [row] = await tx.select().from(tools).where(eq(tools.id, id)).for("no key update");
  return row !== undefined && isCallable(row) ? row : null;
}

export interface Asker {
  /** null: a test chat that is not stored yet. */
  conversationId: string | null;
  /** null in a test chat. */
  contactId: number | null;
}

/** Whether this person or everybody together has tried to prove too often. Calls under way count as well. */
export async function isLimited(
  tx: Tx,
  { id, proof }: Pick<ToolRow, "id" | "proof">,
  { contactId, conversationId }: Asker,
): Promise<boolean> {
  if (proof.everybody) return false;
  const since = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const isPerson =
    contactId !== null
      ? eq(acts.contactId, contactId)
      : conversationId === null
        ? sql`false`
        : eq(acts.conversationId, conversationId);
  const isAttempt = or(eq(acts.refusal, "proof"), eq(acts.state, "calling"));
  const [row] = await tx
    .select({
      ofPerson: sql<number>`(count(*) filter (where ${isPerson}))::int`,
      ofTool: sql<number>`(count(*) filter (where ${gte(acts.createdAt, since(1))}))::int`,
    })
    .from(acts)
    .where(and(eq(acts.toolId, id), gte(acts.createdAt, since(24)), isAttempt));
  return row !== undefined && (row.ofPerson >= ATTEMPTS.ofPerson || row.ofTool >= ATTEMPTS.ofTool);
}

/** The conversation's latest act that waits for the customer's words, or for the owner: until then the customer may take it back. */
export async function openActOf(tx: Tx, conversationId: string): Promise<ActRow | null> {
  const since = new Date(Date.now() - ACT_HOURS.customer * 3_600_000);
  const [row] = await tx
    .select()
    .from(acts)
    .where(
      and(
        eq(acts.conversationId, conversationId),
        inArray(acts.state, ["proposed", "waiting-customer", "waiting-owner"]),
        gte(acts.createdAt, since),
      ),
    )
    .orderBy(desc(acts.number))
    .limit(1);
  return row ?? null;
}

/** The same act of this conversation that its owner has yet to decide on or to look at; null: there is none. */
export async function sameOpenAct(
  tx: Tx,
  { id: toolId }: ToolRow,
  conversationId: string,
  values: readonly ActArgument[],
): Promise<ActRow | null> {
  const [row] = await tx
    .select()
    .from(acts)
    .where(
      and(
        eq(acts.conversationId, conversationId),
        eq(acts.toolId, toolId),
        inArray(acts.state, ["waiting-owner", "calling", "unknown"]),
        sql`${acts.arguments} = ${JSON.stringify(values)}::jsonb`,
      ),
    )
    .limit(1);
  return row ?? null;
}

/** Acts of one conversation that may wait for the owner at once. */
export const MOST_WAITING = 5;

/** Number of the conversation's acts that wait for the owner. */
export async function countWaiting(tx: Tx, conversationId: string): Promise<number> {
  const [row] = await tx
    .select({ total: sql<number>`count(*)::int` })
    .from(acts)
    .where(and(eq(acts.conversationId, conversationId), eq(acts.state, "waiting-owner")));
  return row?.total ?? 0;
}

/** Refuses what waits for the customer's words, because he has said something else or proposes another act. */
export async function withdrawActs(tx: Tx, conversationId: string): Promise<void> {
  await tx
    .update(acts)
    .set({ state: "refused", refusal: "customer", reason: "Собеседник не подтвердил", endedAt: new Date() })
    .where(and(eq(acts.conversationId, conversationId), inArray(acts.state, ["proposed", "waiting-customer"])));
}

/** Ends what nobody will end: calls whose process died, and what was not confirmed or decided in time. */
export async function endLostActs(tx: Tx): Promise<void> {
  const now = Date.now();
  const before = (ms: number) => new Date(now - ms);
  await tx
    .update(acts)
    .set({
      state: sql`case when ${acts.changes} then 'unknown' else 'failed' end`,
      reason: sql`case when ${acts.changes} then ${UNKNOWN_REASON} else 'Сервер остановился, не дождавшись ответа' end`,
      endedAt: new Date(),
    })
    .where(and(eq(acts.state, "calling"), lt(acts.calledAt, before(LOST_AFTER_MS))));
  const expired = { state: "refused" as const, refusal: "expired" as const, endedAt: new Date() };
  await tx
    .update(acts)
    .set({ ...expired, reason: "Собеседник не подтвердил вовремя" })
    .where(
      and(
        inArray(acts.state, ["proposed", "waiting-customer"]),
        lt(acts.createdAt, before(ACT_HOURS.customer * 3_600_000)),
      ),
    );
  await tx
    .update(acts)
    .set({ ...expired, reason: "Решение не принято вовремя" })
    .where(
      and(
        eq(acts.state, "waiting-owner"),
        lt(acts.createdAt, before((ACT_HOURS.owner + ACT_HOURS.customer) * 3_600_000)),
      ),
    );
}
