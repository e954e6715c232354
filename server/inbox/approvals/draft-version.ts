/** Computes the version of a draft for a member who decides elsewhere: a decision must apply to the version that he read. */
import { sql } from "drizzle-orm";
import { outbox } from "#server/platform/db/schema/conversations.ts";

export const DRAFT_VERSION = sql<string>`case when ${outbox.id} is null then 'gone'
  when ${outbox.state} in ('pending', 'sending') then 'going ' || md5(${outbox.text})
  else md5(concat_ws(chr(1), ${outbox.state}, ${outbox.text}, ${outbox.reason})) end`;
