/**
 * Finds answers that every contact already gets: public replies and facts confirmed or taught by the owner. The owner is not asked to
 * decide on them again (docs/decisions/021-shared-past-replies.md).
 */
import { setImmediate as breathe } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { bareQuestion } from "#server/knowledge/language/question/bare-question.ts";
import { contentWords } from "#server/knowledge/language/question/question-parts.ts";
import { quantitiesIn, sameQuantity } from "#server/knowledge/language/statements/quantities.ts";
import { stemOf } from "#server/knowledge/language/words/analyze.ts";
import {
  type AskedWords,
  askedWords,
  asksInSameWords,
  beginningsOf,
} from "#server/knowledge/question-similarity/question-words.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { estimateTextBytes, MB, memoize } from "#server/platform/text/memoize.ts";
import { findAskedQuestions } from "./asked-questions.ts";

export interface PublishedAnswer {
  questions: string[];
  reply: string;
  pairs: readonly number[];
  /** Epoch milliseconds; the decision covers every earlier reply to this question. */
  decidedUntil: number;
}

/** An answer from the owner's messages that he may be asked to publish. */
interface ProposedAnswer {
  question: string;
  reply: string;
  pairId: number;
  saidAt: Date;
}

interface PublishedQuestion extends AskedWords {
  answer: PublishedAnswer;
}

/** Number of messages processed between two yields to the event loop: about ten milliseconds with cold caches. */
const MESSAGES_PER_TURN = 20;

/**
 * Recognises proposals that are already published. Either the question has a published answer that is newer or has the same content, or
 * the proposal is part of a reply that was published as a whole.
 */
export class AlreadyPublished {
  readonly #byBeginning = new Map<string, PublishedQuestion[]>();
  readonly #byPair = new Map<number, PublishedAnswer[]>();

  static async of(all: readonly PublishedAnswer[]): Promise<AlreadyPublished> {
    const known = new AlreadyPublished();
    for (const [at, told] of all.entries()) {
      known.#add(told);
      if (at % MESSAGES_PER_TURN === MESSAGES_PER_TURN - 1) await breathe();
    }
    return known;
  }

  #add(answer: PublishedAnswer): void {
    for (const question of answer.questions.flatMap(questionsIn)) {
      const asked = { ...question, answer };
      for (const beginning of new Set(beginningsOf(asked))) put(this.#byBeginning, beginning, asked);
    }
    for (const pair of answer.pairs) put(this.#byPair, pair, answer);
  }

  /** Yields to the event loop between batches, so that other requests are served meanwhile. */
  async filterUnpublished<Row>(rows: readonly Row[], saidOf: (row: Row) => ProposedAnswer): Promise<Row[]> {
    const untold: Row[] = [];
    for (const [at, row] of rows.entries()) {
      if (!this.isPublished(saidOf(row))) untold.push(row);
      if (at % MESSAGES_PER_TURN === MESSAGES_PER_TURN - 1) await breathe();
    }
    return untold;
  }

  isPublished({ question, reply, pairId, saidAt }: ProposedAnswer): boolean {
    if ((this.#byPair.get(pairId) ?? []).some((told) => containsAmounts(told, reply) && containsWords(told, reply)))
      return true;
    return questionsIn(question).every((asked) =>
      this.#findAnswers(asked).some((told) => told.decidedUntil >= saidAt.getTime() || repeatsAnswer(told, reply)),
    );
  }

  findAnswer(question: string): string | null {
    return this.#findAnswers(askedWords(question))[0]?.reply ?? null;
  }

  #findAnswers(asked: AskedWords): PublishedAnswer[] {
    const near = new Set(beginningsOf(asked).flatMap((beginning) => this.#byBeginning.get(beginning) ?? []));
    return [...near].filter((one) => asksInSameWords(one, asked)).map(({ answer }) => answer);
  }
}

function put<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

/** Returns the questions of a message, or the message when it has none. Memoised, because the same lists are compared repeatedly. */
const questionsIn = memoize(
  8 * MB,
  (message: string): AskedWords[] => {
    const asked = findAskedQuestions(message, null).map(({ text }) => text);
    return (asked.length > 0 ? asked : [bareQuestion(message)]).map(askedWords);
  },
  // The analysed words take about ten times the space of the text.
  (message) => 10 * estimateTextBytes(message),
);

/** Compares answers with amounts by their amounts, and other answers by their words. */
const repeatsAnswer = (told: PublishedAnswer, reply: string): boolean =>
  quantitiesIn(reply).length > 0 ? containsAmounts(told, reply) : containsWords(told, reply);

function containsAmounts({ reply }: PublishedAnswer, said: string): boolean {
  const known = quantitiesIn(reply);
  return quantitiesIn(said).every((one) => known.some((other) => sameQuantity(one, other)));
}

function containsWords({ reply }: PublishedAnswer, said: string): boolean {
  const known = stemsOf(reply);
  return [...stemsOf(said)].every((stem) => known.has(stem));
}

const stemsOf = (text: string) => new Set(contentWords(text).map((word) => stemOf(word)));

/** Loads the published answers and those that the owner declined to publish: both are decided. */
export async function loadAlreadyPublished(tx: Tx, twinId: string): Promise<AlreadyPublished> {
  const { rows: open } = await tx.execute(sql`
    select o.question, o.reply, max(p.until) as until, coalesce(array_agg(p.id) filter (where p.id is not null), '{}') as pairs
    from open_replies o left join lateral (
      select e.id, floor(date_part('epoch', e.replied_at) * 1000) as until from reply_examples e
      where e.reply_message_id = o.reply_message_id
      union all
      select w.reply_example_id, null from open_reply_witnesses w where w.open_reply_id = o.id
    ) p on true
    where o.twin_id = ${twinId} group by o.id`);
  const { rows: taught } = await tx.execute(sql`
    select c.question, c.rewordings, c.text as reply, p.id,
      floor(date_part('epoch', case when c.fact_subject is null then c.created_at else p.said_at end) * 1000) as until
    from corrections c left join lateral (
      select f.reply_example_id as id, f.said_at from fact_proposals f where f.correction_id = c.id limit 1
    ) p on true
    where c.twin_id = ${twinId} and c.kind = 'fact' and c.audience = 0 and c.state in ('active', 'off')`);
  const decided = (until: unknown) => (until === null ? Number.NEGATIVE_INFINITY : Number(until));
  return AlreadyPublished.of([
    ...open.map(({ question, reply, pairs, until }) => ({
      questions: [String(question)],
      reply: String(reply),
      pairs: (pairs as (number | string)[]).map(Number),
      decidedUntil: decided(until),
    })),
    ...taught.map(({ question, rewordings, reply, id, until }) => ({
      questions: [String(question), ...(rewordings as string[])],
      reply: String(reply),
      pairs: id === null ? [] : [Number(id)],
      decidedUntil: decided(until),
    })),
  ]);
}
