/** The ledger of acts as members see it: what twins have asked, done and left to them. */
import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import {
  ACTS_PAGE,
  type Act,
  type ActFigures,
  type ActsQuery,
  type ActsShown,
  type FiguresQuery,
} from "#contract/actions/acts.ts";
import { endLostActs } from "#server/answers/tools/ledger.ts";
import { shownArguments } from "#server/answers/tools/tool.ts";
import { namesOf } from "#server/inbox/conversations/member-names.ts";
import { asTenant, type Database, type Tx } from "#server/platform/db/database.ts";
import { integrations } from "#server/platform/db/schema/channels.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { acts } from "#server/platform/db/schema/tools.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { notFound } from "#server/platform/errors.ts";
import type { Caller } from "#server/platform/http/route.ts";

const rowsOf = (tx: Tx) =>
  tx
    .select({
      act: acts,
      twin: {
        ...{ id: twins.id, name: twins.name, publicName: twins.publicName },
        ...{ orgId: twins.orgId, ownerId: twins.ownerId },
      },
      contactName: conversations.participantName,
      platform: integrations.platform,
    })
    .from(acts)
    .innerJoin(twins, eq(twins.id, acts.twinId))
    .leftJoin(conversations, eq(conversations.id, acts.conversationId))
    .leftJoin(integrations, eq(integrations.id, conversations.integrationId));

type Row = Awaited<ReturnType<typeof rowsOf>>[number];

/** Of twins that the caller may change. */
const isOwn = (caller: Caller): SQL | undefined =>
  caller.role === "org_admin" ? undefined : caller.role === "user" ? eq(twins.ownerId, caller.userId) : sql`false`;

/** Acts of contacts are for every member, those of a test chat for its own; trials for those who may change the twin. */
const isReadableBy = (caller: Caller): SQL | undefined =>
  and(
    eq(acts.orgId, caller.organizationId),
    or(
      and(isNotNull(conversations.id), or(isNull(conversations.userId), eq(conversations.userId, caller.userId))),
      and(isNull(conversations.id), isOwn(caller) ?? sql`true`),
    ),
  );

const OPEN = ["waiting-owner", "unknown"] as const;

const SHOWN: Record<ActsShown, SQL | undefined> = {
  open: inArray(acts.state, [...OPEN]),
  done: and(eq(acts.state, "done"), eq(acts.dry, false)),
  refused: eq(acts.state, "refused"),
  failed: eq(acts.state, "failed"),
  unknown: eq(acts.state, "unknown"),
  dry: eq(acts.dry, true),
};

/** @returns the newest first */
export async function listActs(db: Database, caller: Caller, query: ActsQuery): Promise<Act[]> {
  const { show, twinId, toolId, conversationId, before } = query;
  const rows = await asTenant(db, caller, async (tx) => {
    await endLostActs(tx);
    return rowsOf(tx)
      .where(
        and(
          isReadableBy(caller),
          show && SHOWN[show],
          twinId === undefined ? undefined : eq(acts.twinId, twinId),
          toolId === undefined ? undefined : eq(acts.toolId, toolId),
          conversationId === undefined ? undefined : eq(acts.conversationId, conversationId),
          before === undefined ? undefined : lt(acts.number, Number(before)),
        ),
      )
      .orderBy(desc(acts.number))
      .limit(ACTS_PAGE);
  });
  const names = await namesOf(db, [...new Set(rows.flatMap(({ act }) => act.decidedBy ?? []))]);
  return rows.map((row) => toJson(row, names));
}

const waitsFor = (caller: Caller): SQL | undefined =>
  and(isReadableBy(caller), isOwn(caller), inArray(acts.state, [...OPEN]));

/** Number of acts that wait for the caller: to be decided, or to be looked at. */
export function countActs(db: Database, caller: Caller): Promise<{ waiting: number }> {
  return asTenant(db, caller, async (tx) => {
    await endLostActs(tx);
    return { waiting: await countWaiting(tx, caller) };
  });
}

async function countWaiting(tx: Tx, caller: Caller): Promise<number> {
  const [row] = await tx
    .select({ waiting: sql<number>`count(*)::int` })
    .from(acts)
    .innerJoin(twins, eq(twins.id, acts.twinId))
    .leftJoin(conversations, eq(conversations.id, acts.conversationId))
    .where(waitsFor(caller));
  return row?.waiting ?? 0;
}

/** The acts that `countActs` counts, the longest waiting first, at most `most`. */
export async function loadWaitingActs(tx: Tx, caller: Caller, most: number): Promise<{ total: number; first: Act[] }> {
  await endLostActs(tx);
  const rows = await rowsOf(tx).where(waitsFor(caller)).orderBy(asc(acts.number)).limit(most);
  const total = rows.length < most ? rows.length : await countWaiting(tx, caller);
  // Nobody has decided on what waits.
  return { total, first: rows.map((row) => toJson(row, new Map())) };
}

const DAY_MS = 86_400_000;

/** Counts the acts of contacts by tool, the most asked first. */
export function actFigures(db: Database, caller: Caller, { twinId, days = "30" }: FiguresQuery): Promise<ActFigures> {
  return asTenant(db, caller, async (tx) => {
    await endLostActs(tx);
    const count = (...states: (typeof acts.$inferSelect)["state"][]) =>
      sql<number>`count(*) filter (where ${inArray(acts.state, states)})::int`;
    const asked = sql<number>`count(*)::int`;
    const rows = await tx
      .select({
        toolId: acts.toolId,
        title: sql<string>`max(${acts.title})`,
        asked,
        done: count("done"),
        refused: count("refused"),
        failed: count("failed"),
        unknown: count("unknown"),
        waiting: count("proposed", "waiting-customer", "waiting-owner", "calling"),
      })
      .from(acts)
      .where(
        and(
          eq(acts.orgId, caller.organizationId),
          isNotNull(acts.contactId),
          gte(acts.createdAt, new Date(Date.now() - Number(days) * DAY_MS)),
          twinId === undefined ? undefined : eq(acts.twinId, twinId),
        ),
      )
      .groupBy(acts.toolId, sql`case when ${acts.toolId} is null then ${acts.title} end`)
      .orderBy(desc(asked));
    return { days: Number(days), tools: rows };
  });
}

export const actNotFound = () => notFound("Действие не найдено", "act_not_found");

/** @returns null where the caller may not read it */
export async function readableAct(tx: Tx, caller: Caller, id: string): Promise<Row | null> {
  const [row] = await rowsOf(tx).where(and(eq(acts.id, id), isReadableBy(caller)));
  return row ?? null;
}

/** @param names of members, by id */
export function toJson({ act, twin, contactName, platform }: Row, names: ReadonlyMap<string, string>): Act {
  const {
    id,
    toolId,
    title,
    conversationId,
    changes,
    state,
    target,
    question,
    ownerQuestion,
    result,
    reason,
    dry,
    decidedBy,
    calledAt,
    endedAt,
  } = act;
  return {
    ...{ id, toolId, title, twinId: twin.id, twinName: twin.name, conversationId, changes, state },
    contactName: platform === null ? "" : (contactName ?? ""),
    platform: platform ?? "test",
    arguments: shownArguments(act.arguments),
    ...{ target, question, ownerQuestion, result, reason, dry, decidedBy },
    decidedAt:
      decidedBy === null ? null : (((state === "unknown" ? calledAt : endedAt) ?? calledAt)?.toISOString() ?? null),
    decider: decidedBy === null ? null : (names.get(decidedBy) ?? "Бывший участник"),
    createdAt: act.createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    cursor: String(act.number),
  };
}
