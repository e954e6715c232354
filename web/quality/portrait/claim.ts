/** A statement of the portrait, with a test for messages that demonstrate it. */
import type { StyleProfile } from "#contract/quality.ts";

export interface Claim {
  text: string;
  /** Tests whether a single message shows the habit. Absent for habits that only many messages show, such as hours and delays. */
  seen?: readonly QuotationMatcher[];
  /** Whether a message contradicts the claim, so that it must not be quoted. */
  belies?: (message: string) => boolean;
}

export interface QuotationMatcher {
  /** Name of the habit, such as «с маленькой буквы». */
  label: string;
  shows: (message: string) => boolean;
}

export type ClaimRule = (profile: StyleProfile) => (Claim | null)[];

const WORD = /[\p{L}\p{N}]+/gu;
/** Splits a text into lower-case words with «ё» as «е», like the profile. */
export const wordsIn = (text: string): string[] => text.toLowerCase().replaceAll("ё", "е").match(WORD) ?? [];

export const phraseMatcher = (phrase: string): QuotationMatcher => ({
  label: `«${phrase}»`,
  shows: (message) => ` ${wordsIn(message).join(" ")} `.includes(` ${wordsIn(phrase).join(" ")} `),
});

/** Returns the forms that are frequent enough, both in number and as a share, to be named. */
export function frequentForms(
  top: readonly { text: string; count: number }[],
  { least, limit, part = 0.15 }: { least: number; limit: number; part?: number },
): string[] {
  const all = top.reduce((sum, { count }) => sum + count, 0);
  return top
    .filter(({ count }) => count >= least && count >= all * part)
    .slice(0, limit)
    .map(({ text }) => text);
}
