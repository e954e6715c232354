/** What of a draft somebody sees who decides on it elsewhere: another version is another question. */
import { sql } from "drizzle-orm";
import { outbox } from "#server/db/schema.ts";

export const DRAFT_VERSION = sql<string>`case when ${outbox.id} is null then 'gone'
  when ${outbox.state} in ('pending', 'sending') then 'going ' || md5(${outbox.text})
  else md5(concat_ws(chr(1), ${outbox.state}, ${outbox.text}, ${outbox.reason})) end`;
