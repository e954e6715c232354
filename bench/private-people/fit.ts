// How often a past reply fits a message that is like the one it answered: every exchange of a person is asked from their others, and the
// estimate of the nearest (`pairFit`) is set beside the share that fits. Replies that
// share no word are never near, so the share is the least that fits.

import { pairFeatures, type ReplyPair } from "#server/answers/replies/wording/pair-fit.ts";
import { contentWords } from "#server/knowledge/language/question/question-parts.ts";
import { stemOf } from "#server/knowledge/language/words/analyze.ts";
import { fitIn } from "./fit-among.ts";
import type { PrivatePerson } from "./held-out-pairs.ts";

interface NearestPair {
  features: readonly number[];
  /** Beyond chance, 0..1. */
  fits: number;
}

const MOST_PAIRS = 2500;
const PAUSE_MS = 6 * 3600 * 1000;
const CHANCE = 0.1;

/** For each exchange the nearest of the person's other ones. */
export function nearestPairs(person: PrivatePerson): NearestPair[] {
  const pairs = exchangesOf(person);
  const stems = pairs.map(({ incoming }) => new Set(contentWords(incoming).flatMap((word) => stemOf(word) || [])));
  const holding = new Map<string, number[]>();
  for (const [at, own] of stems.entries())
    for (const stem of own) holding.set(stem, [...(holding.get(stem) ?? []), at]);
  const rarity = (stem: string) =>
    Math.log((pairs.length + 1) / ((holding.get(stem)?.length ?? 0) + 0.5)) / Math.log((pairs.length + 1) / 0.5);
  const fits = fitIn(
    pairs.map(({ reply }) => reply),
    person.name,
  );
  return pairs.flatMap(({ incoming, reply }, at): NearestPair[] => {
    const featuresOf = pairFeatures(incoming, rarity);
    let nearest: { features: readonly number[]; reply: string } | null = null;
    for (const other of new Set([...stems[at]!].flatMap((stem) => holding.get(stem)!))) {
      if (other === at) continue;
      const features = featuresOf(pairs[other]!);
      if (features !== null && (nearest === null || features[1]! > nearest.features[1]!))
        nearest = { features, reply: pairs[other]!.reply };
    }
    if (nearest === null) return [];
    return [
      { features: nearest.features, fits: Math.max(0, (fits(nearest.reply, reply, at) - CHANCE) / (1 - CHANCE)) },
    ];
  });
}

function exchangesOf({ talks, pairs }: PrivatePerson): ReplyPair[] {
  const known = talks.flatMap(({ lines }) => {
    const turns: { mine: boolean; text: string; at: number }[] = [];
    for (const { author, text, at } of lines) {
      const last = turns.at(-1);
      if (last !== undefined && last.mine === (author === null) && at - last.at < PAUSE_MS) {
        last.text += `\n${text}`;
        last.at = at;
      } else turns.push({ mine: author === null, text, at });
    }
    return turns.flatMap((turn, at): ReplyPair[] => {
      const before = turns[at - 1];
      return turn.mine && before?.mine === false && turn.at - before.at < PAUSE_MS
        ? [{ incoming: before.text, reply: turn.text }]
        : [];
    });
  });
  return [...pairs.map(({ incoming, reply }) => ({ incoming, reply })), ...known].slice(0, MOST_PAIRS);
}
