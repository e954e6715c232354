/**
 * The ledger of acts: one row for each call that a twin has proposed or made. Every change names the state that it leaves, so that two
 * processes never both go on with an act (docs/decisions/048-tools-and-acts.md).
 */
import { and, desc, eq, getTableColumns, gte, inArray, lt, or, sql } from "drizzle-orm";
import { ACT_HOURS } from "#contract/actions/acts.ts";
import { unclearChange } from "#contract/actions/tool-settings.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { columnsOf, namedStatement } from "#server/platform/db/named-statement.ts";
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

const given = (name: string) => sql.placeholder(name);
const actColumns = Object.keys(getTableColumns(acts)) as (keyof ActRow)[];

const readOfTool = namedStatement<
  { toolId: string; seenAt: Date; conversationId: string | null; contactId: number | null; arguments: string } & {
    target: string | null;
  },
  Omit<ActRow, "number" | "contactId"> & { number: string; contactId: string | null }
>(
  "read of a tool",
  sql`
    with tool as (
      select id, org_id, twin_id, title from tools
      where id = ${given("toolId")} and date_trunc('milliseconds', updated_at) = ${given("seenAt")}
        and enabled and degree = 'itself' and not changes
      for no key update
    )
    insert into acts (org_id, twin_id, tool_id, title, changes, state, called_at, conversation_id, contact_id, arguments, target)
    select org_id, twin_id, id, title, false, 'calling', now(), ${given("conversationId")}::uuid, ${given("contactId")}::bigint,
      ${given("arguments")}::jsonb, ${given("target")}::text from tool
    returning ${columnsOf(acts, actColumns)}`,
);

/**
 * Adds a read that needs neither proof nor decision, in one statement instead of a transaction of four.
 * @param seen the tool as it was read earlier
 * @returns null: the tool was changed, switched off or deleted since, or asks its owner first
 */
export async function addReadOfUnchangedTool(
  tx: Tx,
  seen: ToolRow,
  { arguments: values, target, ...asker }: Asker & { arguments: readonly ActArgument[]; target: string | null },
): Promise<ActRow | null> {
  const [row] = await readOfTool(tx, {
    ...{ toolId: seen.id, seenAt: seen.updatedAt, arguments: JSON.stringify(values), target },
    ...{ conversationId: asker.conversationId, contactId: asker.contactId },
  });
  if (row === undefined) return null;
  return { ...row, number: Number(row.number), contactId: row.contactId === null ? null : Number(row.contactId) };
}

const outcomeOfRead = namedStatement<
  { id: string; state: ActRow["state"]; result: string; refusal: string | null; reason: string | null },
  { id: string }
>(
  "outcome of a read",
  sql`update acts set state = ${given("state")}, result = ${given("result")}::jsonb, refusal = ${given("refusal")},
      reason = ${given("reason")}, ended_at = now()
    where id = ${given("id")} and state = 'calling' returning id`,
);

export interface ReadEnd {
  state: "done" | "refused" | "failed";
  result?: ActRow["result"];
  refusal?: ActRow["refusal"];
  reason?: string;
}

/** `moveAct` from `calling` for a read, in one prepared statement. */
export async function endRead(tx: Tx, id: string, { state, result = [], refusal, reason }: ReadEnd): Promise<void> {
  const values = { id, state, result: JSON.stringify(result), refusal: refusal ?? null, reason: reason ?? null };
  await outcomeOfRead(tx, values);
}

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
