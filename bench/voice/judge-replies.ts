// The product's measure of fidelity (server/answers/fidelity) of replies that a voice has written.
import { copyRate } from "#server/answers/fidelity/copy-rate.ts";
import { type Fidelity, trainJudge } from "#server/answers/fidelity/fidelity.ts";
import { normalise } from "#server/answers/fidelity/normalise.ts";
import { relevance } from "#server/answers/fidelity/relevance.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import type { PartedTalks } from "./part-talks.ts";

interface Judged {
  fidelity: Fidelity;
  copies: number;
  relevance: number;
  /** Letters of a reply. */
  length: number;
}

/** @param asked so many of the newest held messages were replied to */
export function judgeOf({ judge, held, memory }: PartedTalks, asked: number, seed: string) {
  const clean = (texts: readonly string[]) => texts.map((text) => normalise(text));
  const said = (texts: readonly string[]) => clean(texts).filter((text) => text !== "");
  const asOwner = clean(held.slice(-asked).map(({ reply }) => reply));
  const people = new Map(judge.people.map((texts, at) => [String(at), said(texts)]));
  const trained = trainJudge({ own: said(judge.own), people, held: asOwner, memory: said(memory) }, seededRandom(seed));
  const measure = (texts: readonly string[], fidelity: Fidelity): Judged => ({
    fidelity,
    copies: copyRate(clean(texts), clean(memory)),
    relevance: relevance(clean(texts), asOwner),
    length: texts.reduce((sum, text) => sum + text.length, 0) / texts.length,
  });
  return {
    of: (replies: readonly string[]) => measure(replies, trained.judge(clean(replies))),
    /** The owner's own older messages, and strangers'. */
    scale: () => ({ ceiling: trained.ceiling(), floor: trained.floor() }),
  };
}
