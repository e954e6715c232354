/** Chooses the owner's messages that show the most habits of the portrait. */
import type { StyleProfile } from "#contract/quality.ts";
import { type Claim, wordsIn } from "./claim.ts";

export interface Quotation {
  text: string;
  /** Habits that the message shows: «с маленькой буквы», «„ну“». */
  shows: string[];
}

const QUOTATIONS = 3;
const MAX_LENGTH = 140;

/** Returns at most three messages, each of which shows a habit that the previous ones do not. */
export function quotationsFor(profile: StyleProfile, claims: readonly Claim[]): Quotation[] {
  const seen = claims.flatMap((claim) => claim.seen ?? []);
  const quotable = examplesOf(profile).filter(
    (text) => text.length <= MAX_LENGTH && wordsIn(text).length >= 2 && !claims.some(({ belies }) => belies?.(text)),
  );
  const different = new Map(quotable.map((text) => [wordsIn(text).join(" "), text]));
  const candidates = [...different.values()].map((text) => {
    const labels = seen.filter(({ shows }) => shows(text)).map(({ label }) => label);
    return { text, shows: [...new Set(labels)] };
  });
  const chosen: Quotation[] = [];
  const told = new Set<string>();
  const gain = ({ shows }: Quotation) => shows.filter((label) => !told.has(label)).length;
  while (chosen.length < QUOTATIONS) {
    // Among texts that show equally many habits the shortest is clearest; the final alphabetical order makes the choice stable.
    const [best] = candidates.toSorted(
      (a, b) => gain(b) - gain(a) || a.text.length - b.text.length || (a.text < b.text ? -1 : 1),
    );
    if (best === undefined || gain(best) === 0) break;
    chosen.push(best);
    for (const label of best.shows) told.add(label);
  }
  return chosen;
}

function examplesOf(profile: StyleProfile): string[] {
  const { address, typos, further } = profile;
  const habits = [
    profile.greetings,
    profile.farewells,
    profile.fillers,
    profile.colloquial,
    profile.openers,
    profile.brackets,
    profile.emoji,
    profile.lowerCaseStart,
    profile.finalFullStop,
    profile.exclamation,
    profile.ellipsis,
    profile.question,
    profile.turn,
    profile.length,
    profile.latin,
  ];
  return [
    ...habits.flatMap(({ examples }) => examples),
    ...address.examples.familiar,
    ...address.examples.polite,
    ...(typos?.examples ?? []),
    ...(further?.functionWords ?? []),
    ...(further?.typography ?? []),
  ];
}
