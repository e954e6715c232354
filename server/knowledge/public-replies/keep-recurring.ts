/** The part of a training that publishes recurring replies, withdraws those that no longer recur, and proposes others to the owner. */
import { createHash } from "node:crypto";
import { and, eq, inArray, sql } from "drizzle-orm";
import { MIN_PEOPLE, personOfContacts } from "#server/knowledge/messages/people.ts";
import { asTenant, type Database, type Tenant, type Tx } from "#server/platform/db/database.ts";
import { replyExamples } from "#server/platform/db/schema/knowledge.ts";
import {
  declinedReplies,
  openReplies,
  openReplyWitnesses,
  replyProposals,
} from "#server/platform/db/schema/public-replies.ts";
import { twins } from "#server/platform/db/schema/twins.ts";
import { findRecurring, type RecurringReplies } from "./find-recurring.ts";
import { keyOf } from "./near-duplicates.ts";
import type { Recurring } from "./recurring.ts";

const MAX_RECURRING = 500;
const MAX_PROPOSALS = 200;

type TwinData = Tenant & { twinId: string };

export async function keepRecurring(db: Database, data: TwinData, signal: AbortSignal): Promise<void> {
  const found = await findRecurring(db, data, data.twinId, signal);
  signal.throwIfAborted();
  await keepFound(db, data, found);
}

/** Contacts may have been merged since the search, so people are counted again. */
export async function keepFound(db: Database, data: TwinData, found: RecurringReplies): Promise<void> {
  await asTenant(db, data, async (tx) => {
    // Locks the twin first, like all transactions that change its knowledge.
    const [twin] = await tx.select({ id: twins.id }).from(twins).where(eq(twins.id, data.twinId)).for("no key update");
    if (twin === undefined) return;
    const declined = await declinedOf(tx, data.twinId);
    await openWhatRecurs(tx, data, found, declined);
    await propose(tx, data, found, declined);
  });
}

/** Identifies a reply after its text is deleted. */
export const hashOf = (reply: string): string =>
  createHash("sha256")
    .update(keyOf(reply) ?? reply.trim())
    .digest("hex");

/** Returns the digests of what the owner does not want shown, in hexadecimal. */
export async function declinedOf(tx: Tx, twinId: string): Promise<Set<string>> {
  const rows = await tx
    .select({ hash: declinedReplies.contentHash })
    .from(declinedReplies)
    .where(eq(declinedReplies.twinId, twinId));
  return new Set(rows.map(({ hash }) => hash.toString("hex")));
}

/**
 * Returns the replies of pairs that are unchanged since they were read. A pair whose text changes gets another id, and contacts may have
 * been merged since.
 */
async function repliesOf(
  tx: Tx,
  twinId: string,
  ids: readonly number[],
  { people }: Pick<RecurringReplies, "people">,
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const now = await personOfContacts(tx, twinId);
  const rows = await tx
    .select({ id: replyExamples.id, reply: replyExamples.reply, contactId: replyExamples.contactId })
    .from(replyExamples)
    .where(
      and(eq(replyExamples.twinId, twinId), sql`${replyExamples.id} = any(${sql.param([...new Set(ids)])}::bigint[])`),
    )
    .for("key share");
  const unchanged = rows.filter(({ contactId }) => people.get(contactId) === now.get(contactId));
  return new Map(unchanged.map(({ id, reply }) => [id, reply]));
}

const origin = "recurring" as const;
const nameOf = ({ question, reply }: { question: string; reply: string }) => `${question}\n${reply}`;

async function openWhatRecurs(
  tx: Tx,
  { organizationId, twinId }: TwinData,
  found: RecurringReplies,
  declined: ReadonlySet<string>,
): Promise<void> {
  const { recurring } = found;
  const witnesses = recurring.flatMap((one) => one.witnesses);
  const replies = await repliesOf(tx, twinId, witnesses, found);
  const wanted = new Map<string, Recurring>();
  for (const one of recurring) {
    const said = one.witnesses.map((id) => replies.get(id));
    // A pair that was deleted or reassigned to another person is no witness; the next training searches again.
    if (said.some((reply) => reply === undefined)) continue;
    if ([one.reply, ...said].some((reply) => declined.has(hashOf(reply!)))) continue;
    if (wanted.size < MAX_RECURRING) wanted.set(nameOf(one), one);
  }
  const known = await tx
    .select()
    .from(openReplies)
    .where(and(eq(openReplies.twinId, twinId), eq(openReplies.origin, origin), eq(openReplies.state, "open")));
  const stay = new Map<string, number>();
  const outdated: number[] = [];
  for (const row of known) {
    if (wanted.get(nameOf(row))?.people === row.people && !stay.has(nameOf(row))) stay.set(nameOf(row), row.id);
    else outdated.push(row.id);
  }
  if (outdated.length > 0) await tx.delete(openReplies).where(inArray(openReplies.id, outdated));
  const added = [...wanted].filter(([name]) => !stay.has(name));
  if (added.length > 0) {
    const values = added.map(([, { witnesses: _, ...told }]) => ({ orgId: organizationId, twinId, origin, ...told }));
    const rows = await tx.insert(openReplies).values(values).returning({ id: openReplies.id });
    for (const [at, { id }] of rows.entries()) stay.set(added[at]![0], id);
  }
  // Earlier witnesses stay too, because the reply is withdrawn when any of them is deleted.
  const seen = [...wanted].flatMap(([name, one]) =>
    one.witnesses.map((replyExampleId) => ({ orgId: organizationId, openReplyId: stay.get(name)!, replyExampleId })),
  );
  if (seen.length > 0) await tx.insert(openReplyWitnesses).values(seen).onConflictDoNothing();
}

/** Proposes the newest pair of replies that almost recur or that several people asked for; published and declined ones are left out. */
async function propose(
  tx: Tx,
  { organizationId, twinId }: TwinData,
  found: RecurringReplies,
  declined: ReadonlySet<string>,
): Promise<void> {
  const { recurring, chosen } = found;
  const told = new Set(recurring.flatMap(({ witnesses }) => witnesses));
  const candidates = [
    ...chosen.said.map(({ ids, people }) => ({ ids, people, reason: "said" as const })),
    ...chosen.asked
      .filter(({ people }) => people >= MIN_PEOPLE)
      .map(({ ids, people }) => ({ ids, people, reason: "asked" as const })),
  ]
    .filter(({ ids }) => !ids.some((id) => told.has(id)))
    .sort((a, b) => b.people - a.people)
    .slice(0, MAX_PROPOSALS * 2);
  const newest = candidates.map(({ ids }) => ids[0]!);
  const replies = await repliesOf(tx, twinId, newest, found);
  const rows = new Map<string, typeof replyProposals.$inferInsert>();
  for (const { ids, people, reason } of candidates) {
    const replyExampleId = ids[0]!;
    const reply = replies.get(replyExampleId);
    // Too short to be informative, or a duplicate.
    if (reply === undefined || keyOf(reply) === null || rows.has(hashOf(reply)) || declined.has(hashOf(reply)))
      continue;
    if (rows.size < MAX_PROPOSALS)
      rows.set(hashOf(reply), { orgId: organizationId, twinId, replyExampleId, people, reason });
  }
  const distinct = [...new Map([...rows.values()].map((row) => [row.replyExampleId, row])).values()];
  const kept = sql.param(distinct.map(({ replyExampleId }) => replyExampleId));
  // Remaining proposals keep their ids, because the owner may be deciding right now. So do skipped ones, which he may restore.
  await tx
    .delete(replyProposals)
    .where(
      and(
        eq(replyProposals.twinId, twinId),
        eq(replyProposals.skipped, false),
        sql`${replyProposals.replyExampleId} <> all(${kept}::bigint[])`,
      ),
    );
  if (distinct.length === 0) return;
  await tx
    .insert(replyProposals)
    .values(distinct)
    .onConflictDoUpdate({
      target: replyProposals.replyExampleId,
      set: { people: sql`excluded.people`, reason: sql`excluded.reason` },
    });
}
