import { passageSentences } from "#server/language/passage-sentences.ts";
import type { ReplyPassage } from "#server/search/passage.ts";
import type { ExemplarHit, OpenHit, PassageHit } from "#server/search/twin-index.ts";
import { THRESHOLDS } from "../decide.ts";
import type { FoundAnswer } from "./find-answer.ts";
import { withoutMarkup } from "./markup.ts";

/** What only its meaning tells is never surer: a twin that sends by itself just what is sure leaves it to its owner. */
const SUREST = 0.65;
/** A passage no longer than this is said whole. */
const SHORT = 300;

/**
 * What the likeliest passage says, where words have found no answer: no word of the question tells which of its sentences
 * answers, so it is what words took for the best there, or else how it begins. Null where no passage is likely.
 * @param passages the same as `found`
 */
export function answerByMeaning(
  found: readonly PassageHit[],
  passages: readonly ReplyPassage[],
  byWords: FoundAnswer | null,
  limit: number,
): FoundAnswer | null {
  const likely = found.reduce<PassageHit | null>((best, hit) => (hit.meant > (best?.meant ?? 0) ? hit : best), null);
  if (likely === null || likely.meant < THRESHOLDS.knowledge) return null;
  const passage = passages.find(({ id }) => id === String(likely.id))!;
  const confidence = Math.min(SUREST, likely.meant);
  const telling = passageSentences(
    passage,
    passage.sentences.map(({ text }) => text),
  ).filter(({ tells }) => tells);
  if (telling.length === 0) return null;
  if (passage.text.length > SHORT && byWords?.passages.includes(passage)) return { ...byWords, confidence };
  const said = passage.text.length > SHORT ? telling.slice(0, limit) : telling;
  return {
    text: said.map(({ text }) => withoutMarkup(text)).join(" "),
    sentence: { text: telling[0]!.text, passage },
    passages: [passage],
    confidence,
    toRemark: false,
  };
}

/** The surest first: a pair that only its meaning finds must not stand behind pairs that share a word by chance. */
export function surestFirst(exemplars: readonly (ExemplarHit | OpenHit)[]): (ExemplarHit | OpenHit)[] {
  if (exemplars.every(({ meant }) => meant === 0)) return [...exemplars];
  const sure = exemplars.map((hit) => ({ ...hit, confidence: Math.max(hit.confidence, Math.min(SUREST, hit.meant)) }));
  const most = Math.max(...sure.map(({ confidence }) => confidence));
  return sure
    .map((hit) => ({ ...hit, score: hit.confidence / most }))
    .sort((one, other) => other.score - one.score || writtenAt(other) - writtenAt(one));
}

/** What is open has no time of its own and stands behind what is as sure. */
const writtenAt = (hit: ExemplarHit | OpenHit) => (hit.kind === "exemplar" ? hit.repliedAt.getTime() : 0);
