/** Acts that the chats of members who decide must show, or show in a former state. */
import { and, asc, eq, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Tx } from "#server/platform/db/database.ts";
import { integrations, ownerChats } from "#server/platform/db/schema/channels.ts";
import { conversations } from "#server/platform/db/schema/conversations.ts";
import { ownerNotices } from "#server/platform/db/schema/owner-notices.ts";
import { acts } from "#server/platform/db/schema/tools.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { actCard } from "./act-card.ts";
import type { ToShow } from "./to-show.ts";

/** SQL for a notice joined to its act: the shown message is out of date. An act's version is its state. */
const SHOWS_ANOTHER = and(
  isNull(ownerNotices.closedAt),
  sql`cardinality(${ownerNotices.messageIds}) > 0`,
  sql`${ownerNotices.version} is distinct from ${acts.state}`,
);

/** SQL for an act joined to its notice in a chat, if any: it waits, and the owner has not been notified. */
const UNTOLD = and(
  eq(acts.state, "waiting-owner"),
  or(isNull(ownerNotices.id), and(isNull(ownerNotices.closedAt), sql`cardinality(${ownerNotices.messageIds}) = 0`)),
);

const shown = {
  notice: ownerNotices,
  act: acts,
  contactName: conversations.participantName,
  platform: integrations.platform,
  twin: { name: twins.name, orgId: twins.orgId, ownerId: twins.ownerId },
};

/** Returns a message that shows a former state of an act. */
export async function changedAct(tx: Tx, ownerChatId: string): Promise<ToShow | null> {
  const [row] = await rowsOf(tx, ownerChatId)
    .where(and(isNotNull(ownerNotices.id), SHOWS_ANOTHER))
    .limit(1);
  return row === undefined ? null : toShow(row);
}

/** Returns the twin's oldest act that waits and that no message shows yet. Those of test chats have no contact and are left out. */
export async function untoldAct(tx: Tx, ownerChatId: string, twinId: string): Promise<ToShow | null> {
  const [row] = await rowsOf(tx, ownerChatId)
    .where(and(eq(acts.twinId, twinId), UNTOLD))
    .limit(1);
  return row === undefined ? null : toShow(row);
}

const rowsOf = (tx: Tx, ownerChatId: string) =>
  tx
    .select(shown)
    .from(acts)
    .innerJoin(conversations, eq(conversations.id, acts.conversationId))
    .innerJoin(integrations, eq(integrations.id, conversations.integrationId))
    .innerJoin(twins, eq(twins.id, acts.twinId))
    .leftJoin(ownerNotices, and(eq(ownerNotices.actId, acts.id), eq(ownerNotices.ownerChatId, ownerChatId)))
    .orderBy(asc(acts.number))
    .$dynamic();

type Row = Awaited<ReturnType<typeof rowsOf>>[number];

const ENDED: ReadonlySet<string> = new Set(["done", "refused", "failed", "unknown"]);

function toShow({ notice, act, contactName, platform, twin }: Row): ToShow {
  return {
    ...{ notice, twin, version: act.state, settled: ENDED.has(act.state), of: { actId: act.id } },
    card: (noticeId, doubtful) => actCard({ ...act, contactName, platform, twinName: twin.name }, noticeId, doubtful),
  };
}

/** SQL: a chat of `owner_chats` joined to its integration has an act to show. */
export const HAS_ACT_TO_SHOW: SQL = sql`exists (
  select 1 from ${acts} left join ${ownerNotices} on ${ownerNotices.actId} = ${acts.id} and ${ownerNotices.ownerChatId} = ${ownerChats.id}
  where ${acts.orgId} = ${ownerChats.orgId} and ${acts.twinId} = ${integrations.twinId} and ${acts.contactId} is not null
  and ((${UNTOLD} and not exists (select 1 from twin_stops where twin_stops.org_id = ${ownerChats.orgId}))
    or (${ownerNotices.id} is not null and ${SHOWS_ANOTHER}))
)`;
