/** The pairs from which recurring replies were derived (witnesses), and whether a reply still recurs in some of them. */
import { sql } from "drizzle-orm";
import type { People } from "#server/knowledge/messages/people.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { stemsOf } from "./near-duplicates.ts";
import { type CandidatePair, recurringOf } from "./recurring.ts";

/** Characters read of a question, as when the reply was found (find-recurring.ts). */
const LONGEST = 1000;

interface WitnessedReply {
  openId: number;
  question: string;
  reply: string;
  witnesses: CandidatePair[];
}

export async function readWitnesses(tx: Tx, openIds: Iterable<number>, people: People): Promise<WitnessedReply[]> {
  const { rows } = await tx.execute(sql`
    select o.id as "openId", o.question, o.reply as told, e.id, e.contact_id as "contactId",
      left(e.incoming, ${LONGEST}) as incoming, e.reply
    from open_replies o join open_reply_witnesses w on w.open_reply_id = o.id join reply_examples e on e.id = w.reply_example_id
    where o.origin = 'recurring' and o.id = any(${sql.param([...openIds])}::bigint[]) order by o.id, e.id`);
  return [...Map.groupBy(rows as unknown as Row[], ({ openId }) => Number(openId))].map(([openId, all]) => ({
    openId,
    question: all[0]!.question,
    reply: all[0]!.told,
    witnesses: all.map(({ id, contactId, incoming, reply }) => ({
      ...{ id: Number(id), incoming, reply },
      person: people.get(Number(contactId)) ?? -Number(contactId),
    })),
  }));
}

interface Row {
  openId: number;
  question: string;
  told: string;
  id: number;
  contactId: number;
  incoming: string;
  reply: string;
}

/** Whether three people received the reply in these pairs too, to a question with the same words. */
export function recursIn(
  pairs: readonly CandidatePair[],
  { question, reply }: Pick<WitnessedReply, "question" | "reply">,
): boolean {
  const asked = [...stemsOf(question)];
  return recurringOf(pairs).some((one) => {
    const used = stemsOf(one.question);
    return one.reply === reply && asked.every((stem) => used.has(stem));
  });
}
