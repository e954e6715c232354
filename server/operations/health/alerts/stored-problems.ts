/** Problems in the database: they survive restarts, and all processes share them. */
import { and, eq, inArray, isNull, lt, notInArray, or, sql } from "drizzle-orm";
import type { Database, Tx } from "#server/platform/db/database.ts";
import { alerts } from "#server/platform/db/schema/operations.ts";
import {
  ALL_SERVERS,
  type DueAlert,
  isOver,
  type KnownProblem,
  markNotified,
  occasionOf,
  type Problem,
  remember,
  THIS_SERVER,
} from "./problems.ts";

const DAY_MS = 24 * 3600_000;
/** Milliseconds that a process has to send an alert; after that another process may, because this one may have ended. */
const CLAIM_MS = 2 * 60_000;
const MINE = [ALL_SERVERS, THIS_SERVER];

type Row = typeof alerts.$inferSelect;

const rowIs = ({ server, id }: Pick<KnownProblem, "server" | "id">) =>
  and(eq(alerts.server, server), eq(alerts.problem, id));

const rowOf = ({ id, ...known }: KnownProblem): Omit<Row, "claimedUntil"> => ({ ...known, problem: id });

/** Stores the problems that a check has found. @returns all known problems, and the alerts that this process must send */
export async function storeCheckResult(
  db: Database,
  found: readonly Problem[],
  isKnown: (id: Problem["id"]) => boolean,
  now: Date,
): Promise<{ known: KnownProblem[]; due: DueAlert[] }> {
  return db.transaction(async (tx) => {
    // Problems of a machine that has not reported for a day are dropped: the machine is gone.
    await tx
      .delete(alerts)
      .where(and(notInArray(alerts.server, MINE), lt(alerts.seen, new Date(now.getTime() - DAY_MS))));
    // The lock makes processes check one after another.
    const rows = await tx
      .select()
      .from(alerts)
      .where(inArray(alerts.server, MINE))
      .orderBy(alerts.server, alerts.problem)
      .for("update");
    const claims = new Map(rows.map((row) => [`${row.server} ${row.problem}`, row.claimedUntil]));
    const known = remember(
      rows.map(({ problem, claimedUntil: _, ...row }) => ({ ...row, id: problem })),
      found,
      now,
    );
    const due: DueAlert[] = [];
    for (const problem of known) {
      const claimed = claims.get(`${problem.server} ${problem.id}`) ?? null;
      const occasion = isKnown(problem.id) ? occasionOf(problem, now) : null;
      if (occasion === null && isOver(problem, now) && isKnown(problem.id)) {
        await tx.delete(alerts).where(rowIs(problem));
        continue;
      }
      const mine = occasion !== null && (claimed === null || claimed <= now);
      if (mine) due.push({ problem, occasion });
      const row = { ...rowOf(problem), claimedUntil: mine ? new Date(now.getTime() + CLAIM_MS) : claimed };
      await tx
        .insert(alerts)
        .values(row)
        .onConflictDoUpdate({ target: [alerts.server, alerts.problem], set: row });
    }
    return { known, due };
  });
}

/** Records that these alerts were sent, and deletes the problems that are fixed. */
export async function recordSentAlerts(db: Database, due: readonly DueAlert[], now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { problem, occasion } of due) {
      if (occasion === "fixed") await tx.delete(alerts).where(rowIs(problem));
      else await keep(tx, markNotified(problem, now));
    }
  });
}

export async function storeRemembered(db: Database, told: readonly KnownProblem[]): Promise<void> {
  await db.transaction(async (tx) => {
    for (const problem of told) await keep(tx, problem);
  });
}

/** Stores the problem, unless another process has reported it since. */
async function keep(tx: Tx, problem: KnownProblem): Promise<void> {
  const row = { ...rowOf(problem), claimedUntil: null };
  await tx
    .insert(alerts)
    .values(row)
    .onConflictDoUpdate({
      target: [alerts.server, alerts.problem],
      set: row,
      setWhere: or(isNull(alerts.toldAt), lt(alerts.toldAt, sql`excluded.told_at`)),
    });
}
