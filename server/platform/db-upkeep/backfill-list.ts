import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { conversationMessages, outbox, replyFeedback } from "#server/platform/db/schema/conversations.ts";
import type { Backfill } from "./backfill.ts";

/** Matches answers of an earlier release that quote the owner's letters: their citations contain a past reply of the owner. */
const quotesLetter = (citations: PgColumn | SQL): SQL =>
  sql`(${citations} ->> 'basis' = 'recurring' or jsonb_path_exists(${citations}, '$.replyExamples[*] ? (@.incoming != null)'))`;

const BECOMES_PRIVATE = sql`secrecy = 'contact'`;

/** In the order of execution. A backfill leaves the list together with the migration that contracts (CONTRIBUTING, «Change many rows»). */
export const BACKFILLS: readonly Backfill[] = [
  {
    name: "secret_messages",
    key: conversationMessages.id,
    set: BECOMES_PRIVATE,
    where: sql`secrecy = 'organization' and role = 'assistant' and author is null and ${quotesLetter(sql`citations`)}`,
  },
  {
    name: "secret_outbox",
    key: outbox.id,
    set: BECOMES_PRIVATE,
    where: sql`secrecy = 'organization' and author is null and ${quotesLetter(sql`citations`)}`,
  },
  {
    name: "secret_feedback",
    key: replyFeedback.id,
    set: BECOMES_PRIVATE,
    where: sql`secrecy = 'organization' and (
      exists (select from conversation_messages m where m.id = message_id and m.secrecy = 'contact')
      or exists (select from outbox o where o.id = outbox_id and o.secrecy = 'contact'))`,
  },
];
