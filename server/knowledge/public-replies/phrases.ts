/**
 * Past replies that the owner may open as samples of his manner («Эти фразы увидят все»). They are proposed, and shown to nobody before he
 * has opened them (docs/decisions/046-manner-for-strangers.md).
 */
import { eq, sql } from "drizzle-orm";
import { LONGEST_OPEN } from "#contract/knowledge/open-replies.ts";
import { PHRASES_SHOWN, type Phrase } from "#contract/knowledge/style-samples.ts";
import { isSelfContainedQuestion } from "#server/knowledge/facts/self-contained-question.ts";
import { claimsToBeHuman } from "#server/knowledge/language/human-claim.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { openReplies, styleSamples } from "#server/platform/db/schema/public-replies.ts";
import { choosePhrases } from "./choose-phrases.ts";
import { declinedOf } from "./keep-recurring.ts";
import { countMasks, type MaskSample, openSampleMask } from "./masked-sample.ts";
import { hashOfSample } from "./style-samples.ts";

/** Newest replies of private chats over which those that are read are spread; how the owner wrote earlier is no longer how he writes. */
const NEWEST = 4_000;
/** As many are read quickly enough for a screen. */
const MOST_READ = 400;
/** Of a longer reply the subject is seen, not the manner. */
const LONGEST = 300;
/** With more gaps a phrase shows little of its writer. */
const MOST_MASKS = 2;
/** A link or a command to a bot is no manner. */
const NOT_SAID = /:\/\/|www\.|^[!/][\p{L}\d]/mu;
/** A number alone, whatever stands around it, says nothing of its writer; a smile alone does. */
const NUMBER_ALONE = /^\P{L}{0,300}\d\P{L}{0,300}$/u;

interface FoundReply {
  id: number | string;
  incoming: string;
  reply: string;
  /** Whether it is an answer to everybody already. */
  opened: boolean;
}

/**
 * Returns phrases whose lengths are spread as the owner's own, of different acts and times. Those of different acts come first. The texts of
 * a burst are one phrase.
 */
export async function listPhrases(tx: Tx, twinId: string): Promise<Phrase[]> {
  const replies = await readReplies(tx, twinId);
  if (replies.length === 0) return [];
  const [mask, declined, known] = [
    await openSampleMask(tx, twinId),
    await declinedOf(tx, twinId),
    await textsOfSamples(tx, twinId),
  ];
  const found = new Map<string, FoundReply & { text: string }>();
  for (const one of replies) {
    if (NOT_SAID.test(one.reply)) continue;
    const text = mask(one.reply.trim());
    if (found.has(text) || known.has(text) || declined.has(hashOfSample(text))) continue;
    if (text === "" || countMasks(text) > MOST_MASKS || NUMBER_ALONE.test(text) || claimsToBeHuman(text)) continue;
    found.set(text, { ...one, text });
  }
  const lengths = replies.map(({ reply }) => reply.length);
  return choosePhrases([...found.values()], lengths, PHRASES_SHOWN).map((one) => {
    const question = questionOf(one, mask);
    return { pairId: String(one.id), text: one.text, ...(question === null ? {} : { question }) };
  });
}

async function readReplies(tx: Tx, twinId: string): Promise<FoundReply[]> {
  const { rows } = await tx.execute(sql`
    with newest as (
      select e.id, e.incoming, e.reply, e.reply_message_id, row_number() over (order by e.id desc) as place, count(*) over () as total
      from (select e.* from reply_examples e join chats c on c.id = e.chat_id and c.kind = 'private'
        where e.twin_id = ${twinId} and length(e.reply) <= ${LONGEST} order by e.id desc limit ${NEWEST}) e)
    select id, left(incoming, ${LONGEST_OPEN.question + 1}) as incoming, reply,
      exists (select 1 from ${openReplies} o where o.reply_message_id = newest.reply_message_id) as opened
    from newest where (place - 1) % greatest(1, ceil(total / ${MOST_READ}::numeric)) = 0
      and not exists (select 1 from ${styleSamples} s where s.reply_example_id = newest.id)
    order by id desc`);
  return rows as unknown as FoundReply[];
}

/** Returns the masked message that the phrase alone answers; null if it cannot be an answer to everybody. */
function questionOf({ incoming, text, opened }: FoundReply & { text: string }, mask: MaskSample): string | null {
  const question = mask(incoming.trim());
  if (opened || countMasks(text) > 0 || question.length > LONGEST_OPEN.question) return null;
  return isSelfContainedQuestion(question) ? question : null;
}

async function textsOfSamples(tx: Tx, twinId: string): Promise<Set<string>> {
  const rows = await tx.select({ text: styleSamples.text }).from(styleSamples).where(eq(styleSamples.twinId, twinId));
  return new Set(rows.map(({ text }) => text));
}
