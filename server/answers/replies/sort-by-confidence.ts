import type { OpenHit, ReplyExampleHit } from "#server/knowledge/search/twin-index.ts";

/** Maximum confidence of an answer found by embedding alone: too low for a twin that sends only sure answers. */
export const MAX_CONFIDENCE = 0.65;

/** Orders by confidence, so that a pair found by embedding alone precedes pairs that share a word by chance. */
export function sortByConfidence(replyExamples: readonly (ReplyExampleHit | OpenHit)[]): (ReplyExampleHit | OpenHit)[] {
  if (replyExamples.every(({ meant }) => meant === 0)) return [...replyExamples];
  const sure = replyExamples.map((hit) => ({
    ...hit,
    confidence: Math.max(hit.confidence, Math.min(MAX_CONFIDENCE, hit.meant)),
  }));
  const most = Math.max(...sure.map(({ confidence }) => confidence));
  return sure
    .map((hit) => ({ ...hit, score: hit.confidence / most }))
    .sort((one, other) => other.score - one.score || writtenAt(other) - writtenAt(one));
}

/** Published replies have no time and come after equally sure ones. */
const writtenAt = (hit: ReplyExampleHit | OpenHit) => (hit.kind === "example" ? hit.repliedAt.getTime() : 0);
