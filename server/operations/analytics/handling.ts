/** Counts who answered the customers: twins without approval, twins with their owner's approval, or the owner. */

import { sql } from "drizzle-orm";
import type { Handling } from "#contract/report.ts";
import { hasNoAnswer } from "#server/inbox/unanswered/unanswered.ts";
import type { Tenant, Tx } from "#server/platform/db/database.ts";

/** Maximum number of messages that are read, the latest, so that the cost stays bounded. */
const MAX_SENT = 5000;
/** Days for which a draft may have waited before it was sent: the index knows only its creation time. */
const WAITED_DAYS = 30;

interface Period {
  /** The first day, in Moscow time. */
  first: string;
  twinId?: string | undefined;
}

/**
 * Counts messages sent through channels, so test chats are not included. Answers that the twin does not know are counted separately,
 * because they save the owner no work.
 */
export async function loadHandling(
  tx: Tx,
  { organizationId }: Tenant,
  { first, twinId }: Period,
  limit = MAX_SENT,
): Promise<Handling> {
  const start = sql`${first}::timestamp at time zone 'Europe/Moscow'`;
  const ofTwin =
    twinId === undefined
      ? sql`true`
      : sql`exists (select from conversations c where c.id = o.conversation_id and c.twin_id = ${twinId})`;
  const { rows } = await tx.execute(sql`
    with sent as (
      select o.confidence is null as by_owner, o.decided_by is not null as approved,
        o.original is not null and o.original <> o.text as changed,
        coalesce(${hasNoAnswer(sql`o.citations`)}, false) as unknown
      from outbox o
      where o.org_id = ${organizationId} and o.state = 'sent'
        and o.created_at >= ${start} - make_interval(days => ${WAITED_DAYS}) and o.sent_at >= ${start} and ${ofTwin}
      order by o.created_at desc limit ${limit}
    )
    select (count(*) filter (where not by_owner and not approved and not unknown))::int as alone,
      (count(*) filter (where not by_owner and approved))::int as approved,
      (count(*) filter (where not by_owner and approved and changed))::int as changed,
      (count(*) filter (where not by_owner and not approved and unknown))::int as unknown,
      (count(*) filter (where by_owner))::int as "byOwner"
    from sent`);
  return rows[0] as unknown as Handling;
}
