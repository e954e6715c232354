import { sql } from "drizzle-orm";
import type { Tx } from "#server/db/database.ts";

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
