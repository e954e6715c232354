import { sql } from "drizzle-orm";
import type { Tx } from "#server/db/database.ts";
import { personOfContacts } from "#server/knowledge/people.ts";
import { stemsOf } from "./near-duplicates.ts";
import { recurringOf } from "./recurring.ts";

/**
 * The twin's open replies that have one of these pairs as a witness: whoever must not know the pairs must not know the replies either.
 */
export async function openRepliesDerivedFrom(tx: Tx, twinId: string, pairs: Iterable<number>): Promise<Set<number>> {
  const ids = sql.param([...pairs]);
  const { rows } = await tx.execute(sql`
    select id from open_replies o where o.twin_id = ${twinId} and (
      exists (select 1 from open_reply_witnesses w where w.open_reply_id = o.id and w.reply_example_id = any(${ids}::bigint[]))
      or o.reply_message_id in (select e.reply_message_id from reply_examples e where e.id = any(${ids}::bigint[])))`);
  return new Set(rows.map(({ id }) => Number(id)));
}

/**
 * Those of `openRepliesDerivedFrom` that whoever does not know the pairs cannot know: the others recur without them too, in the same
 * reply to a question of the same words.
 */
export async function openRepliesLostWithout(tx: Tx, twinId: string, pairs: ReadonlySet<number>): Promise<Set<number>> {
  const derived = await openRepliesDerivedFrom(tx, twinId, pairs);
  const { rows } = await tx.execute(sql`
    select o.id as "openId", o.question, o.reply as told, e.id, e.contact_id as "contactId", e.incoming, e.reply
    from open_replies o join open_reply_witnesses w on w.open_reply_id = o.id join reply_examples e on e.id = w.reply_example_id
    where o.twin_id = ${twinId} and o.origin = 'recurring' and o.id = any(${sql.param([...derived])}::bigint[])`);
  const people = await personOfContacts(tx, twinId);
  const witnesses = Map.groupBy(rows as unknown as Witness[], ({ openId }) => openId);
  for (const [openId, all] of witnesses) {
    const { question, told } = all[0]!;
    const left = all
      .filter(({ id }) => !pairs.has(Number(id)))
      .map(({ contactId, id, incoming, reply }) => ({
        ...{ id: Number(id), incoming, reply },
        person: people.get(Number(contactId)) ?? -Number(contactId),
      }));
    const asked = [...stemsOf(question)];
    const again = recurringOf(left).some((one) => {
      const used = stemsOf(one.question);
      return one.reply === told && asked.every((stem) => used.has(stem));
    });
    if (again) derived.delete(Number(openId));
  }
  return derived;
}

interface Witness {
  openId: number;
  question: string;
  /** What everybody is told; `reply` is what this one contact was told. */
  told: string;
  id: number;
  contactId: number;
  incoming: string;
  reply: string;
}
