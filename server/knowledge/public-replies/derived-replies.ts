import { sql } from "drizzle-orm";
import { personOfContacts } from "#server/knowledge/messages/people.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { readWitnesses, recursIn } from "./witnesses.ts";

/**
 * Returns the twin's published replies with one of these pairs as a witness. Readers who must not know the pairs must not know the
 * replies.
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
 * Returns those of `openRepliesDerivedFrom` that cannot be derived without the pairs. The others recur without them too, with the same
 * reply to a question of the same words.
 */
export async function openRepliesLostWithout(tx: Tx, twinId: string, pairs: ReadonlySet<number>): Promise<Set<number>> {
  const derived = await openRepliesDerivedFrom(tx, twinId, pairs);
  const people = await personOfContacts(tx, twinId);
  for (const told of await readWitnesses(tx, derived, people)) {
    const left = told.witnesses.filter(({ id }) => !pairs.has(id));
    if (recursIn(left, told)) derived.delete(told.openId);
  }
  return derived;
}
