/** The part of a style profile that may be used for other people: figures, and words that at least three people have received. */

import type { OwnersStyle, StyleProfile } from "#contract/quality.ts";
import { MIN_PEOPLE } from "#server/knowledge/messages/people.ts";
import { memoizeByObject } from "#server/platform/text/memoize.ts";

type Ranked = StyleProfile["openers"]["top"];

const shared = (top: Ranked): Ranked => top.filter(({ people = 0 }) => people >= MIN_PEOPLE);
const mapped = <Key extends string>(lists: Record<Key, Ranked>): Record<Key, Ranked> =>
  Object.fromEntries(Object.entries<Ranked>(lists).map(([key, top]) => [key, shared(top)])) as Record<Key, Ranked>;

const NO_EXAMPLES: string[] = [];
const bare = <Habit extends { examples: string[] }>(habit: Habit): Habit => ({ ...habit, examples: NO_EXAMPLES });
const ranked = <Habit extends { examples: string[]; top: Ranked }>(habit: Habit): Habit => ({
  ...habit,
  top: shared(habit.top),
  examples: NO_EXAMPLES,
});

/** Removes examples, which are private messages, and words that fewer than three people have received. */
function sharedProfile(profile: StyleProfile): StyleProfile {
  const { typos, setPhrases, further: _letters, favourites: _told, self: _signs, ...rest } = profile;
  return {
    ...rest,
    turn: bare(profile.turn),
    length: bare(profile.length),
    lowerCaseStart: bare(profile.lowerCaseStart),
    finalFullStop: bare(profile.finalFullStop),
    exclamation: bare(profile.exclamation),
    question: bare(profile.question),
    ellipsis: bare(profile.ellipsis),
    brackets: ranked(profile.brackets),
    emoji: ranked(profile.emoji),
    address: { ...profile.address, examples: { familiar: NO_EXAMPLES, polite: NO_EXAMPLES } },
    greetings: ranked(profile.greetings),
    farewells: ranked(profile.farewells),
    fillers: ranked(profile.fillers),
    openers: ranked(profile.openers),
    colloquial: ranked(profile.colloquial),
    ...(typos && { typos: { ...ranked(typos), mended: bare(typos.mended) } }),
    phrases: mapped(profile.phrases),
    ...(setPhrases && { setPhrases: mapped({ ...setPhrases, deferral: setPhrases.deferral ?? [] }) }),
    latin: bare(profile.latin),
  };
}

export const sharedStyle: (style: OwnersStyle) => OwnersStyle = memoizeByObject(({ groups, ...whole }) => ({
  ...sharedProfile(whole),
  ...(groups && { groups: groups.map((group) => ({ ...group, profile: sharedProfile(group.profile) })) }),
}));

/**
 * Adjusts a stored profile after several of its people turned out to be one. It does not store who received which words, so every count
 * is lowered by the whole loss; the next training counts again.
 * @param lost from `lostPeople`
 */
export function withFewerPeople(stored: unknown, lost: number): unknown {
  if (lost === 0) return stored;
  if (Array.isArray(stored)) return stored.map((part) => withFewerPeople(part, lost));
  if (typeof stored !== "object" || stored === null) return stored;
  const parts = Object.entries(stored).map(([key, value]) => [
    key,
    key === "people" && typeof value === "number" ? Math.max(0, value - lost) : withFewerPeople(value, lost),
  ]);
  return Object.fromEntries(parts);
}
