// The right paragraph and the right sentence of XQuAD, by ours and by PostgreSQL's full-text search, in one run.
import { sql } from "drizzle-orm";
import { splitSentences } from "#server/knowledge/language/sentences.ts";
import { parseQuery } from "#server/knowledge/search/ranking/query-terms.ts";
import { scoreSentences, weighForSentences } from "#server/knowledge/search/ranking/score-sentences.ts";
import { search } from "#server/knowledge/search/ranking/search-segments.ts";
import { TermStatistics } from "#server/knowledge/search/ranking/term-statistics.ts";
import { buildSegment } from "#server/knowledge/search/segments/build-segment.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { Language, Paragraph } from "../../bench/material/public-data.ts";
import { splitArticles } from "../../bench/quality/exact-answers.ts";

const LOOKED_AT = 10;

/** Places of paragraphs, best first, and the sentence that is taken for the answer. */
type Finder = (question: string) => Promise<{ places: number[]; sentence: string }>;
type RetrievalRow = Record<"R@1" | "R@5" | "MRR@10" | "sentence R@1", string>;

async function figuresOf(
  find: Finder,
  paragraphs: readonly Paragraph[],
  asked: ReadonlySet<Paragraph>,
): Promise<RetrievalRow> {
  let [questions, first, five, reciprocal, sentences] = [0, 0, 0, 0, 0];
  for (const [place, paragraph] of paragraphs.entries()) {
    if (!asked.has(paragraph)) continue;
    for (const { text, answerStart } of paragraph.questions) {
      const { places, sentence } = await find(text);
      const rank = places.slice(0, LOOKED_AT).indexOf(place);
      const at = sentence === "" ? -1 : paragraph.text.indexOf(sentence);
      questions++;
      if (rank === 0) first++;
      if (rank >= 0 && rank < 5) five++;
      if (rank >= 0) reciprocal += 1 / (rank + 1);
      if (at >= 0 && answerStart >= at && answerStart < at + sentence.length) sentences++;
    }
  }
  const share = (count: number) => (count / questions).toFixed(3);
  return { "R@1": share(first), "R@5": share(five), "MRR@10": share(reciprocal), "sentence R@1": share(sentences) };
}

function ours(paragraphs: readonly Paragraph[]): Finder {
  const units = paragraphs.map(({ text }, id) => ({ id, audience: 0, text }));
  const segment = buildSegment("chunk", units);
  const sentences = paragraphs.map(({ text }) => splitSentences(text));
  return async (question) => {
    const query = parseQuery(question);
    const hits = search([segment], query, { allows: () => true, limit: LOOKED_AT });
    const found = hits.map(({ id, score }) => ({ sentences: sentences[id]!, score }));
    const scored = scoreSentences(found, weighForSentences(query, new TermStatistics([segment]))).flat();
    const best = scored.reduce((top, one) => (one.score > top.score ? one : top), { text: "", score: -1 });
    return { places: hits.map(({ id }) => id), sentence: best.text };
  };
}

interface FullText {
  /** Whether one word of the question is enough. */
  any: boolean;
  rank: "ts_rank_cd(v, q)" | "ts_rank(v, q, 1)";
}

const FULL_TEXT: Record<string, FullText> = {
  "PostgreSQL OR + ts_rank_cd": { any: true, rank: "ts_rank_cd(v, q)" },
  "PostgreSQL OR + ts_rank(…, 1)": { any: true, rank: "ts_rank(v, q, 1)" },
  "PostgreSQL plainto (AND)": { any: false, rank: "ts_rank_cd(v, q)" },
};

async function fillFullText(db: Database, language: Language, paragraphs: readonly Paragraph[]): Promise<string> {
  const config = language === "ru" ? "russian" : "english";
  const rows = paragraphs.flatMap(({ text }, place) => [
    { place, sentence: false, text },
    ...splitSentences(text).map((sentence) => ({ place, sentence: true, text: sentence })),
  ]);
  const column = <T>(of: (row: (typeof rows)[number]) => T) => sql.param(rows.map(of));
  const table = `xquad_${language}`;
  await db.execute(sql`create table ${sql.raw(table)} as
    select place, sentence, text, to_tsvector(${sql.raw(`'${config}'`)}, text) as v from unnest(
      ${column(({ place }) => place)}::int[], ${column(({ sentence }) => sentence)}::boolean[], ${column(({ text }) => text)}::text[]
    ) as given (place, sentence, text)`);
  return table;
}

function fullText(db: Database, language: Language, table: string, { any, rank }: FullText): Finder {
  const config = sql.raw(language === "ru" ? "'russian'" : "'english'");
  const best = async (question: string, sentence: boolean) => {
    const all = sql`plainto_tsquery(${config}, ${question})`;
    const query = any ? sql`replace(${all}::text, '&', '|')::tsquery` : all;
    const { rows } = await db.execute(sql`select place, text from ${sql.raw(table)}, (select ${query} as q) asked
      where v @@ q and sentence = ${sentence} order by ${sql.raw(rank)} desc, place limit ${LOOKED_AT}`);
    return rows as { place: number; text: string }[];
  };
  return async (question) => {
    const [whole, sentences] = [await best(question, false), await best(question, true)];
    return { places: whole.map(({ place }) => place), sentence: sentences[0]?.text ?? "" };
  };
}

/** The index is of all articles; asked are those of one part. */
export async function retrieval(
  db: Database,
  language: Language,
  part: "dev" | "test",
): Promise<Record<string, RetrievalRow>> {
  const articles = splitArticles(language);
  const asked = new Set(articles[part]);
  const table = await fillFullText(db, language, articles.all);
  const rows: Record<string, RetrievalRow> = {};
  for (const [name, variant] of Object.entries(FULL_TEXT)) {
    rows[`${language}: ${name}`] = await figuresOf(fullText(db, language, table, variant), articles.all, asked);
  }
  rows[`${language}: ours`] = await figuresOf(ours(articles.all), articles.all, asked);
  return rows;
}
