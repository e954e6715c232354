/** What the signs of a profile amount to: a minimum of evidence and a clear majority, else nothing is known. */
import type { OwnersStyle, StyleProfile } from "#contract/quality.ts";
import type { SpeakerGender } from "#server/knowledge/language/speaker-gender.ts";
import { MIN_PEOPLE } from "#server/knowledge/messages/people.ts";
import { FAMILIAR_GREETINGS } from "../contact-address.ts";
import { WRITTEN_LANGUAGES, type WrittenLanguage } from "./written-language.ts";

type Ranked = StyleProfile["openers"]["top"];

/** One sign in fifty is misread; from five on no speaker was (`npm run bench:gender`). */
const MIN_SIGNS = 5;
const CLEAR = 0.85;
const MIN_SIGNED = 3;
/** What one person alone has received may be that person's name. */
const MIN_SIGNED_PEOPLE = 2;
const MIN_IN_LANGUAGE = 5;
const LANGUAGE_SHARE = 0.02;
const MIN_GREETINGS = 3;

export interface Known<Value> {
  value: Value;
  /** Number of the owner's messages that show it. */
  count: number;
  /** Whether three people have read it, so that everybody may know it (docs/decisions/021-shared-past-replies.md). */
  isShared: boolean;
}

const knownFrom = <Value>(value: Value, { count, people = 0 }: Ranked[number]): Known<Value> => ({
  value,
  count,
  isShared: people >= MIN_PEOPLE,
});

export function knownGender(style: StyleProfile): Known<SpeakerGender> | null {
  const signs = style.self?.gender.signs ?? [];
  const all = signs.reduce((sum, { count }) => sum + count, 0);
  const [most] = signs;
  if (most === undefined || most.count < MIN_SIGNS || most.count < CLEAR * all) return null;
  return knownFrom(most.text === "female" ? "female" : "male", most);
}

export function knownSignature(style: StyleProfile): Known<string> | null {
  const [most] = style.self?.signatures ?? [];
  if (most === undefined || most.count < MIN_SIGNED || (most.people ?? 0) < MIN_SIGNED_PEOPLE) return null;
  return knownFrom(most.text, most);
}

/** Returns the languages that the owner writes, the most frequent first; empty where that is not known. */
export function knownLanguages(style: StyleProfile): Known<WrittenLanguage>[] {
  const languages = style.self?.languages ?? [];
  const all = languages.reduce((sum, { count }) => sum + count, 0);
  return languages
    .filter(({ count }) => count >= MIN_IN_LANGUAGE && count >= LANGUAGE_SHARE * all)
    .flatMap((one) => WRITTEN_LANGUAGES.filter((code) => code === one.text).map((code) => knownFrom(code, one)));
}

/** Returns the owner's greeting of a person whom he does not know: to «вы», if he addresses people so at all. */
export function knownGreeting(style: OwnersStyle): Known<string> | null {
  const formal = style.groups?.find(({ address }) => address === "вы")?.profile;
  const isFamiliar = style.address.prefers === "ты" && formal === undefined;
  const [most] = style.greetings.top.filter(
    ({ text, count }) => count >= MIN_GREETINGS && (isFamiliar || !FAMILIAR_GREETINGS.has(text)),
  );
  if (most === undefined) return null;
  // Greetings are counted in lower case, whatever he types.
  const isLower = style.lowerCaseStart.share >= 0.5;
  return knownFrom(isLower ? most.text : `${most.text[0]!.toUpperCase()}${most.text.slice(1)}`, most);
}
