import { setImmediate as breathe } from "node:timers/promises";
import { and, eq, inArray, sql } from "drizzle-orm";
import { MIN_PEOPLE, type People } from "#server/knowledge/messages/people.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { openReplies, styleSamples } from "#server/platform/db/schema/public-replies.ts";
import { readWitnesses, recursIn } from "./witnesses.ts";

/** Maximum number of pairs read here; replies with further ones are withdrawn, and the next training publishes them if they still recur. */
const MAX_PAIRS = 1000;

/**
 * Withdraws recurring replies that no longer recur because several of their people turned out to be one, and corrects the others'
 * numbers. Replies withdrawn by the owner are deleted too, so that they cannot be published again by the outdated number.
 */
export async function recountRecurring(tx: Tx, twinId: string, before: People, after: People): Promise<void> {
  // Samples of manner do not store who received their words; the next training chooses them anew.
  await tx.delete(styleSamples).where(and(eq(styleSamples.twinId, twinId), eq(styleSamples.origin, "common")));
  const touched = (await countedReplies(tx, twinId, before, after)).filter(({ had, has }) => has < had);
  const gone = new Set(touched.map(({ openId }) => openId));
  const counted = new Map(touched.map(({ openId, has }) => [openId, has]));
  for (const told of await readWitnesses(tx, withinBounds(touched), after)) {
    // Lets other requests run in between.
    await breathe();
    if (!recursIn(told.witnesses, told)) continue;
    gone.delete(told.openId);
    await tx
      .update(openReplies)
      .set({ people: counted.get(told.openId)! })
      .where(eq(openReplies.id, told.openId));
  }
  if (gone.size > 0) await tx.delete(openReplies).where(inArray(openReplies.id, [...gone]));
}

interface Counted {
  openId: number;
  pairs: number;
  had: number;
  has: number;
}

async function countedReplies(tx: Tx, twinId: string, before: People, after: People): Promise<Counted[]> {
  const { rows } = await tx.execute(sql`
    select o.id, array_agg(e.contact_id) as contacts
    from open_replies o join open_reply_witnesses w on w.open_reply_id = o.id join reply_examples e on e.id = w.reply_example_id
    where o.twin_id = ${twinId} and o.origin = 'recurring' group by o.id`);
  return (rows as unknown as { id: number; contacts: (number | string)[] }[]).map(({ id, contacts }) => {
    const people = (counting: People) =>
      new Set(contacts.map((contact) => counting.get(Number(contact)) ?? contact)).size;
    return { openId: Number(id), pairs: contacts.length, had: people(before), has: people(after) };
  });
}

function withinBounds(replies: readonly Counted[]): number[] {
  let pairs = 0;
  return replies
    .filter(({ has }) => has >= MIN_PEOPLE)
    .toSorted((a, b) => b.has - a.has)
    .filter((reply) => {
      pairs += reply.pairs;
      return pairs <= MAX_PAIRS;
    })
    .map(({ openId }) => openId);
}
