/**
 * Past replies that the owner may open as samples of his manner («Эти фразы увидят все»). They are proposed, and shown to nobody before he
 * has opened them (docs/decisions/046-manner-for-strangers.md).
 */
import { eq, sql } from "drizzle-orm";
import { PHRASES_SHOWN, type Phrase } from "#contract/knowledge/style-samples.ts";
import { masked, personalSpans } from "#server/knowledge/facts/personal-data.ts";
import { everydayAct } from "#server/knowledge/language/everyday.ts";
import { claimsToBeHuman } from "#server/knowledge/language/human-claim.ts";
import { contactNamesOf } from "#server/knowledge/messages/reply-examples.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { styleSamples } from "#server/platform/db/schema/public-replies.ts";
import { declinedOf } from "./keep-recurring.ts";
import { hashOfSample } from "./style-samples.ts";

/** Newest replies of private chats that are read; as many are quick enough for a screen. */
const MOST_READ = 400;
/** Of shorter replies everything is seen anyway; longer ones are about something. */
const LENGTH = { least: 12, most: 160 };
/** With more gaps a phrase shows little of its writer. */
const MOST_MASKS = 2;

/** Returns phrases of different occasions in turn: those first whose length is most like the owner's usual one. */
export async function listPhrases(tx: Tx, twinId: string): Promise<Phrase[]> {
  const { rows } = await tx.execute(sql`
    select e.id, e.incoming, e.reply from reply_examples e join chats c on c.id = e.chat_id and c.kind = 'private'
    where e.twin_id = ${twinId} and length(e.reply) between ${LENGTH.least} and ${LENGTH.most}
      and not exists (select 1 from ${styleSamples} s where s.reply_example_id = e.id)
    order by e.id desc limit ${MOST_READ}`);
  const replies = rows as { id: number | string; incoming: string; reply: string }[];
  if (replies.length === 0) return [];
  const [names, declined, known] = [
    await contactNamesOf(tx, twinId),
    await declinedOf(tx, twinId),
    await textsOfSamples(tx, twinId),
  ];
  const usual = replies.map(({ reply }) => reply.length).toSorted((a, b) => a - b)[Math.floor(replies.length / 2)]!;
  const found = new Map<string, { pairId: string; text: string; incoming: string }>();
  for (const { id, incoming, reply } of replies) {
    const own = reply.trim();
    const spans = personalSpans(own, names);
    const text = masked(own, spans);
    if (spans.length > MOST_MASKS || claimsToBeHuman(text) || known.has(text) || declined.has(hashOfSample(text)))
      continue;
    if (!found.has(text)) found.set(text, { pairId: String(id), text, incoming });
  }
  const byLength = [...found.values()].toSorted(
    (a, b) => Math.abs(a.text.length - usual) - Math.abs(b.text.length - usual),
  );
  const occasions = [...Map.groupBy(byLength, ({ incoming }) => everydayAct(incoming.slice(0, LENGTH.most))).values()];
  const phrases: Phrase[] = [];
  for (let round = 0; phrases.length < PHRASES_SHOWN && occasions.some((one) => one.length > round); round++) {
    for (const occasion of occasions) {
      const next = occasion[round];
      if (next !== undefined && phrases.length < PHRASES_SHOWN) phrases.push({ pairId: next.pairId, text: next.text });
    }
  }
  return phrases;
}

async function textsOfSamples(tx: Tx, twinId: string): Promise<Set<string>> {
  const rows = await tx.select({ text: styleSamples.text }).from(styleSamples).where(eq(styleSamples.twinId, twinId));
  return new Set(rows.map(({ text }) => text));
}
