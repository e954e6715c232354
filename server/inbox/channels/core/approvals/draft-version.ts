/** The version of a draft for somebody who decides on it elsewhere: what they see must be what they decide on. */
import { sql } from "drizzle-orm";
import { outbox } from "#server/platform/db/schema/conversations.ts";

export const DRAFT_VERSION = sql<string>`case when ${outbox.id} is null then 'gone'
  when ${outbox.state} in ('pending', 'sending') then 'going ' || md5(${outbox.text})
  else md5(concat_ws(chr(1), ${outbox.state}, ${outbox.text}, ${outbox.reason})) end`;
