import { sql } from "drizzle-orm";
import type { Tx } from "#server/db/database.ts";

/** The open replies of a twin that were read off any of these pairs: who shall not know the pairs must not know them either. */
export async function openRepliesReadOff(tx: Tx, twinId: string, pairs: Iterable<number>): Promise<Set<number>> {
  const ids = sql.param([...pairs]);
  const { rows } = await tx.execute(sql`
    select id from open_replies o where o.twin_id = ${twinId} and (
      exists (select 1 from open_reply_witnesses w where w.open_reply_id = o.id and w.exemplar_id = any(${ids}::bigint[]))
      or o.reply_message_id in (select e.reply_message_id from exemplars e where e.id = any(${ids}::bigint[])))`);
  return new Set(rows.map(({ id }) => Number(id)));
}
