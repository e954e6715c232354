/**
 * What everybody is told already, so that nobody is asked about it twice: the replies that are open to all and the facts that were
 * confirmed or taught (docs/decisions/021-shared-past-replies.md).
 */
import { setImmediate as breathe } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Tx } from "#server/db/database.ts";
import { keptBytes, MB, memoized } from "#server/knowledge/memoize.ts";
import { stemOf } from "#server/language/analyze.ts";
import { bareQuestion } from "#server/language/question/bare-question.ts";
import { contentWords } from "#server/language/question/question-parts.ts";
import { quantitiesIn, sameQuantity } from "#server/language/statements/quantities.ts";
import { questionsAsked } from "./asked-questions.ts";
import { type AskedWords, askedWords, asksTheSame, beginningsOf } from "./same-question.ts";

export interface Told {
  /** The question in all wordings that are known of it. */
  questions: string[];
  reply: string;
  /** The pairs of the history that it comes from. */
  pairs: readonly number[];
  /** Milliseconds: whatever was written of its question until then, its owner has decided on. */
  decidedUntil: number;
}

/** What the letters say and the owner may be asked about. */
export interface Said {
  question: string;
  reply: string;
  pairId: number;
  saidAt: Date;
}

interface Asked extends AskedWords {
  told: Told;
}

/** Messages that are read without a pause: about ten milliseconds, where none has been read before. */
const AT_ONCE = 20;

/**
 * Something said counts as told already in two cases: its question was answered for everybody, later or in the same words of the answer;
 * or it is a part of a reply that was opened as a whole.
 */
export class ToldAlready {
  readonly #byBeginning = new Map<string, Asked[]>();
  readonly #byPair = new Map<number, Told[]>();

  /** Others are served while much is read. */
  static async of(all: readonly Told[]): Promise<ToldAlready> {
    const known = new ToldAlready();
    for (const [at, told] of all.entries()) {
      known.#add(told);
      if (at % AT_ONCE === AT_ONCE - 1) await breathe();
    }
    return known;
  }

  #add(told: Told): void {
    for (const question of told.questions.flatMap(questionsIn)) {
      const asked = { ...question, told };
      for (const beginning of new Set(beginningsOf(asked))) put(this.#byBeginning, beginning, asked);
    }
    for (const pair of told.pairs) put(this.#byPair, pair, told);
  }

  /** Those that nobody is told yet; others are served while many are compared. */
  async untold<Row>(rows: readonly Row[], saidOf: (row: Row) => Said): Promise<Row[]> {
    const untold: Row[] = [];
    for (const [at, row] of rows.entries()) {
      if (!this.has(saidOf(row))) untold.push(row);
      if (at % AT_ONCE === AT_ONCE - 1) await breathe();
    }
    return untold;
  }

  /** Whether every question of the message was answered for everybody. */
  has({ question, reply, pairId, saidAt }: Said): boolean {
    if ((this.#byPair.get(pairId) ?? []).some((told) => holdsAmounts(told, reply) && holdsWords(told, reply)))
      return true;
    return questionsIn(question).every((asked) =>
      this.#answersTo(asked).some((told) => told.decidedUntil >= saidAt.getTime() || repeats(told, reply)),
    );
  }

  /** What everybody is told who asks this; null: nothing. */
  answerTo(question: string): string | null {
    return this.#answersTo(askedWords(question))[0]?.reply ?? null;
  }

  #answersTo(asked: AskedWords): Told[] {
    const near = new Set(beginningsOf(asked).flatMap((beginning) => this.#byBeginning.get(beginning) ?? []));
    return [...near].filter((one) => asksTheSame(one, asked)).map(({ told }) => told);
  }
}

function put<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

/** The questions of a message; the message itself where nobody else could ask it. Each list is read again and again, mostly the same. */
const questionsIn = memoized(
  8 * MB,
  (message: string): AskedWords[] => {
    const asked = questionsAsked(message, null).map(({ text }) => text);
    return (asked.length > 0 ? asked : [bareQuestion(message)]).map(askedWords);
  },
  // Its words in their forms take about as many times the room.
  (message) => 10 * keptBytes(message),
);

/** An answer with amounts is repeated by its amounts, any other one by its words. */
const repeats = (told: Told, reply: string): boolean =>
  quantitiesIn(reply).length > 0 ? holdsAmounts(told, reply) : holdsWords(told, reply);

function holdsAmounts({ reply }: Told, said: string): boolean {
  const known = quantitiesIn(reply);
  return quantitiesIn(said).every((one) => known.some((other) => sameQuantity(one, other)));
}

function holdsWords({ reply }: Told, said: string): boolean {
  const known = stemsOf(reply);
  return [...stemsOf(said)].every((stem) => known.has(stem));
}

const stemsOf = (text: string) => new Set(contentWords(text).map((word) => stemOf(word)));

/** A reply that its owner has closed counts too: he has decided that it is not for everybody. */
export async function toldAlready(tx: Tx, twinId: string): Promise<ToldAlready> {
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
  return ToldAlready.of([
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
