import { setImmediate as breathe } from "node:timers/promises";
import { eq, inArray, sql } from "drizzle-orm";
import { MIN_PEOPLE, type People } from "#server/knowledge/messages/people.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { openReplies } from "#server/platform/db/schema/public-replies.ts";
import { readWitnesses, recursIn } from "./witnesses.ts";

/** Pairs that are read again here; what has further ones is closed, and opened by the next training where it still recurs. */
const MAX_PAIRS = 1000;

/**
 * Closes the recurring replies that no longer recur because some of their people turned out to be one, and corrects the number of people
 * of the others. What the owner has closed himself goes too: nothing may open it again by its old number.
 */
export async function recountRecurring(tx: Tx, twinId: string, before: People, after: People): Promise<void> {
  const touched = (await countedReplies(tx, twinId, before, after)).filter(({ had, has }) => has < had);
  const gone = new Set(touched.map(({ openId }) => openId));
  const counted = new Map(touched.map(({ openId, has }) => [openId, has]));
  for (const told of await readWitnesses(tx, withinBounds(touched), after)) {
    // Others are served in between.
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
  /** How many people were told it, as they were counted and as they are. */
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

/** The replies that may still recur, those of the most people first, up to `MAX_PAIRS`. */
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
