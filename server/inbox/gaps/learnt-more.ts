/** Decides whether a twin has learnt anything since it was last asked a question that it could not answer. */
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/**
 * Returns a condition that is true if since `checkedAt` any of these came, of which the answer may be made:
 * a document or past replies (a training then builds a segment of the index, which is committed after its `created_at`), a correction other
 * than of style, a published reply, or embeddings, by which units are found that share no word with the question.
 * A training for other reasons, such as the owner's style, is none.
 */
export const learntMore = (twinId: string, checkedAt: SQLWrapper): SQL => sql`(
  (select t.last_trained_at from twins t where t.id = ${twinId}) > ${checkedAt} and exists (select from index_segments s
    where s.twin_id = ${twinId} and s.kind in ('chunk', 'example') and s.created_at > ${checkedAt} - interval '1 minute')
  or (select max(c.created_at) from corrections c
    where c.twin_id = ${twinId} and c.state = 'active' and c.kind <> 'style') > ${checkedAt}
  or (select max(o.changed_at) from open_replies o where o.twin_id = ${twinId} and o.state = 'open') > ${checkedAt}
  or (select e.created_at from embeddings e where e.twin_id = ${twinId} order by e.id desc limit 1) > ${checkedAt})`;
