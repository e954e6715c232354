// Retrieval: how often the right paragraph and the right sentence come first on XQuAD, how well unanswerable questions
// are told apart, and what a search costs as a twin's history grows.
import { Console } from "node:console";
import { splitSentences } from "#server/knowledge/language/sentences.ts";
import type { Segment } from "#server/knowledge/search/index-segment.ts";
import { confidenceOf } from "#server/knowledge/search/ranking/answerability.ts";
import type { SearchOptions, UnitHit } from "#server/knowledge/search/ranking/found-unit.ts";
import { parseQuery, type Query } from "#server/knowledge/search/ranking/query-terms.ts";
import { scoreSentences, weighForSentences } from "#server/knowledge/search/ranking/score-sentences.ts";
import { search } from "#server/knowledge/search/ranking/search-segments.ts";
import { TermStatistics } from "#server/knowledge/search/ranking/term-statistics.ts";
import { buildSegment, SegmentBuilder } from "#server/knowledge/search/segments/build-segment.ts";
import { decodeSegment, encodeSegment } from "#server/knowledge/search/segments/segment-bytes.ts";
import { type Language, type Paragraph, readMessages, readXquad } from "./material/public-data.ts";

const out = new Console(process.stdout);
const everyone = () => true;
const percentile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;

const variants: Record<string, (query: Query) => Query> = {
  "stems alone": ({ stems }) => ({ stems, grams: [] }),
  "4-grams alone": ({ grams }) => ({ stems: [], grams }),
  "both, fused": (query) => query,
};

function index(paragraphs: Paragraph[]): Segment {
  return buildSegment(
    "chunk",
    paragraphs.map(({ text }, id) => ({ id, audience: 0, text })),
  );
}

function ranking(language: Language, change: (query: Query) => Query): Record<string, string> {
  const paragraphs = readXquad(language);
  const segment = index(paragraphs);
  const sentences = paragraphs.map(({ text }) => splitSentences(text));
  let questions = 0;
  let first = 0;
  let five = 0;
  let reciprocal = 0;
  let sentenceFirst = 0;
  for (const [id, paragraph] of paragraphs.entries()) {
    for (const question of paragraph.questions) {
      const query = change(parseQuery(question.text));
      const hits = search([segment], query, { allows: everyone, limit: 10 });
      const rank = hits.findIndex((hit) => hit.id === id);
      questions++;
      if (rank === 0) first++;
      if (rank >= 0 && rank < 5) five++;
      if (rank >= 0) reciprocal += 1 / (rank + 1);
      if (answers(paragraph, question.answerStart, bestSentence(hits, sentences, query, segment))) sentenceFirst++;
    }
  }
  const share = (count: number) => (count / questions).toFixed(3);
  return { "R@1": share(first), "R@5": share(five), "MRR@10": share(reciprocal), "sentence R@1": share(sentenceFirst) };
}

function bestSentence(hits: UnitHit[], sentences: string[][], query: Query, segment: Segment): string {
  const found = hits.map(({ id, score }) => ({ sentences: sentences[id]!, score }));
  const scored = scoreSentences(found, weighForSentences(query, new TermStatistics([segment]))).flat();
  return scored.reduce((best, one) => (one.score > best.score ? one : best), { text: "", score: -1 }).text;
}

function answers(paragraph: Paragraph, answerStart: number, sentence: string): boolean {
  const at = sentence === "" ? -1 : paragraph.text.indexOf(sentence);
  return at >= 0 && answerStart >= at && answerStart < at + sentence.length;
}

/** Questions on one half of the articles against questions on the other, and the other way round. */
function abstention(language: Language): Record<string, string> {
  const paragraphs = readXquad(language);
  const answerable: number[] = [];
  const foreign: number[] = [];
  for (const half of [0, 1]) {
    const indexed = paragraphs.filter(({ article }) => article % 2 === half);
    const segment = index(indexed);
    for (const { article, questions } of paragraphs) {
      for (const { text } of questions) {
        const [hit] = search([segment], text, { allows: everyone, limit: 1 });
        (article % 2 === half ? answerable : foreign).push(hit ? confidenceOf(hit.match, indexed.length) : 0);
      }
    }
  }
  const wins = answerable.reduce(
    (sum, one) => sum + foreign.reduce((count, other) => count + (one > other ? 1 : one === other ? 0.5 : 0), 0),
    0,
  );
  const threshold = percentile(foreign, 0.95);
  const above = (values: number[], limit: number) =>
    (values.filter((value) => value > limit).length / values.length).toFixed(3);
  return {
    AUC: (wins / answerable.length / foreign.length).toFixed(3),
    "answers at 5 % false": above(answerable, threshold),
    "answers at 0.5": above(answerable, 0.5),
    "false at 0.5": above(foreign, 0.5),
  };
}

function speed(messages: string[], chunks: Segment, queries: string[], options: Partial<SearchOptions>) {
  const began = performance.now();
  const segments = [chunks];
  let builder = new SegmentBuilder("message");
  for (const [id, text] of messages.entries()) {
    if (builder.isFull) {
      segments.push(builder.build());
      builder = new SegmentBuilder("message");
    }
    builder.add({ id, audience: id % 3 === 0 ? 0 : 1 + (id % 50), text });
  }
  segments.push(builder.build());
  const built = performance.now() - began;
  const encoded = segments.map(encodeSegment);
  const decodeBegan = performance.now();
  const decoded = encoded.map(decodeSegment);
  const decodeTime = performance.now() - decodeBegan;
  const time = (allows: (audience: number) => boolean) => {
    const times = queries.map((query) => {
      const start = performance.now();
      search(decoded, query, { allows, limit: 10, ...options });
      return performance.now() - start;
    });
    return times.slice(queries.length / 4);
  };
  time(everyone);
  const owner = time(everyone);
  const contact = time((audience) => audience === 0 || audience === 7);
  return {
    "build s": (built / 1000).toFixed(2),
    MB: (encoded.reduce((sum, bytes) => sum + bytes.length, 0) / 2 ** 20).toFixed(1),
    "decode ms": decodeTime.toFixed(1),
    "owner p50 ms": percentile(owner, 0.5).toFixed(2),
    "owner p95 ms": percentile(owner, 0.95).toFixed(2),
    "contact p50 ms": percentile(contact, 0.5).toFixed(2),
    "contact p95 ms": percentile(contact, 0.95).toFixed(2),
  };
}

const languages: Language[] = ["ru", "en"];
out.table(
  Object.fromEntries(
    languages.flatMap((language) =>
      Object.entries(variants).map(([name, change]) => [`${language}: ${name}`, ranking(language, change)]),
    ),
  ),
);
out.table(Object.fromEntries(languages.map((language) => [language, abstention(language)])));

const sizes = process.argv.includes("--million") ? [1000, 10_000, 100_000, 1_000_000] : [1000, 10_000, 100_000];
const pool = readMessages(sizes.at(-1)! + 200);
const paragraphs = [...readXquad("ru"), ...readXquad("en")];
const thousand = Array.from({ length: 1000 }, (_, n) => paragraphs[n % paragraphs.length]!);
const queries = [
  ...pool.slice(-200),
  ...readXquad("ru")
    .flatMap(({ questions }) => questions.map(({ text }) => text))
    .slice(0, 200),
];
const shuffled = queries.map((_, n) => queries[(n * 167) % queries.length]!);
out.table(
  Object.fromEntries(
    sizes.flatMap((size) =>
      [Number.POSITIVE_INFINITY, 400_000, 100_000].map((maxPostings) => [
        `${size} messages, 1000 chunks, at most ${maxPostings} postings`,
        speed(pool.slice(0, size), index(thousand), shuffled, { maxPostings }),
      ]),
    ),
  ),
);
