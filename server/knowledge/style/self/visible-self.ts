/** Who the owner is for the person who asks: his own statement first, then what his letters show as far as that person may know it. */
import type { StatedSelf } from "#contract/knowledge/self-presentation.ts";
import type { OwnersStyle, StyleProfile } from "#contract/quality.ts";
import type { SpeakerGender } from "#server/knowledge/language/speaker-gender.ts";
import { MIN_PEOPLE } from "#server/knowledge/messages/people.ts";
import { type Known, knownGender, knownGreeting, knownLanguages, knownSignature } from "./known-self.ts";
import type { WrittenLanguage } from "./written-language.ts";

type Acts = NonNullable<StyleProfile["self"]>["acts"];

export const NOTHING_STATED: StatedSelf = { gender: "learnt" };

export interface VisibleSelf {
  gender: SpeakerGender | null;
  /** Empty: unknown, or the owner has none. The same for the next two. */
  role: string;
  greeting: string;
  signature: string;
  languages: WrittenLanguage[];
  thanks: string[];
  apologies: string[];
  refusals: string[];
}

/** Words that an answer may repeat without a source. */
export const wordsOfSelf = (self: VisibleSelf | undefined): string[] =>
  self === undefined ? [] : [self.role, self.greeting, self.signature];

const MIN_USES = 3;
const PHRASES = 3;

/** @param audience.isOwner whether the owner himself asks, who may read what only one person has received */
export function visibleSelf(
  style: OwnersStyle | null,
  stated: StatedSelf | null,
  { isOwner }: { isOwner: boolean },
): VisibleSelf {
  const { gender, role, greeting, signature } = stated ?? NOTHING_STATED;
  const open = <Value>(known: Known<Value> | null): Value | null =>
    known !== null && (isOwner || known.isShared) ? known.value : null;
  const learnt = <Value>(read: (style: OwnersStyle) => Known<Value> | null) =>
    style === null ? null : open(read(style));
  const phrases = (act: keyof Acts) =>
    (style?.self?.acts[act].top ?? [])
      .filter(({ count, people = 0 }) => count >= MIN_USES && (isOwner || people >= MIN_PEOPLE))
      .slice(0, PHRASES)
      .map(({ text }) => text);
  return {
    gender: gender === "unstated" ? null : gender === "learnt" ? learnt(knownGender) : gender,
    // Learnt roles stand in public texts, which the prompt holds anyway.
    role: role ?? "",
    greeting: greeting ?? learnt(knownGreeting) ?? "",
    signature: signature ?? learnt(knownSignature) ?? "",
    languages: style === null ? [] : knownLanguages(style).flatMap((known) => open(known) ?? []),
    thanks: phrases("thanks"),
    apologies: phrases("apology"),
    refusals: phrases("refusal"),
  };
}
