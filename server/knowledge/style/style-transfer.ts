/** Applies the owner's style to a text without changing its content. */
import type { StyleRule } from "#contract/corrections.ts";
import type { StyleProfile } from "#contract/quality.ts";
import { type Address, agreeAddress } from "#server/knowledge/language/address.ts";
import { FUNCTION_WORDS, wordsOf } from "#server/knowledge/language/words/lexicon.ts";

export interface TargetStyle {
  profile: StyleProfile | null;
  address: Address;
  random: () => number;
}

/** Minimum number of messages; fewer show only chance habits. */
const ENOUGH = 5;
/** Openers that do not change the meaning; «да» and «нет» would answer. */
const NEUTRAL_OPENERS = new Set([
  "ну",
  "короче",
  "смотри",
  "смотрите",
  "слушай",
  "слушайте",
  "вообще",
  "так",
  "вот",
  "well",
  "so",
  "actually",
  "hmm",
  "hm",
  "хм",
]);
const GRAVE =
  /(?<!\p{L})(?:умер|смерт|(?:за)?боле[знюл]|больниц|авари|увол|штраф|долг|отказ|невозможн|нельзя|к сожалению|жаль|соболезн|суд|опасн|sorry|death|died|accident|refus|impossible)/iu;

/** Whether the text is sad or serious, so that smileys would be out of place. */
export const isGrave = (text: string): boolean => GRAVE.test(text);

/** Returns the profile if it is based on enough messages, otherwise null. */
export const followableProfile = (profile: StyleProfile | null) =>
  profile !== null && profile.messages >= ENOUGH ? profile : null;

/** Returns the maximum number of sentences in an answer, 1..3 by the owner's usual length, limited by his style rules. */
export function sentenceLimit(profile: StyleProfile | null, rules: readonly StyleRule[] = []): number {
  const ordered = rules.find((rule) => rule.habit === "length")?.sentences ?? Number.POSITIVE_INFINITY;
  const characters = followableProfile(profile)?.turn.characters.median ?? 100;
  return Math.min(ordered, characters < 60 ? 1 : characters < 200 ? 2 : 3);
}

/** Applies the owner's ты/вы, ё, dashes and quotes, opener, first letter, final mark, «)))» and emoji, each as often as he uses it. */
export function transferStyle(
  text: string,
  targetStyle: TargetStyle,
  { opener = false, smile = true }: { opener?: boolean; smile?: boolean } = {},
): string {
  const profile = followableProfile(targetStyle.profile);
  const spoken = agreeAddress(text, targetStyle.address) ?? text;
  if (profile === null) return spoken;
  let shaped = typography(spoken, profile);
  const light = !GRAVE.test(text) && !(opener && RULES.test(text));
  if (opener && light) shaped = withOpener(shaped, profile, targetStyle);
  shaped = firstLetter(shaped, profile, targetStyle.random);
  return finalMark(shaped, profile, targetStyle.random, smile && light);
}

/** Recognises a refusal, ban, duty or warning by its grammar. Such a sentence gets no smiley and no leading «ну». */
const RULES =
  /(?<!\p{L})(?:не|нет|ни|без|кроме|только|никогда|никак\p{L}{0,3}|нельзя|нужно|надо|следует|обязательно|необходимо|запрещ\p{L}+|обязан\p{L}{0,2}|долж(?:ен|на|но|ны)|not|no|never|must|only|\p{L}{2,}(?:йте|ите)(?:сь)?|don't|can't)(?!\p{L})/iu;

function typography(text: string, { typography: { yo, longDash, guillemets } }: StyleProfile): string {
  let shaped = text;
  if (yo !== null && yo < 0.1) shaped = shaped.replaceAll("ё", "е").replaceAll("Ё", "Е");
  if (longDash !== null && longDash < 0.2) shaped = shaped.replace(/ [—–] /g, " - ");
  if (guillemets !== null && guillemets < 0.2) shaped = shaped.replace(/[«»]/g, '"');
  return shaped;
}

function withOpener(text: string, profile: StyleProfile, { random, address }: TargetStyle): string {
  const draw = random();
  const openers = profile.openers.top.filter(
    (one) =>
      NEUTRAL_OPENERS.has(one.text) && agreeAddress(one.text, address) === one.text && sameScript(one.text, text),
  );
  if (NEUTRAL_OPENERS.has(wordsOf(text)[0] ?? "")) return text;
  let left = draw;
  for (const { text: opener, count } of openers) {
    left -= count / profile.messages;
    const after = lowered(text, profile.lowerCaseStart.share >= 0.9);
    // After a comma, a capital letter can only be a name's.
    if (left < 0) return /^\p{Lu}/u.test(after) ? text : `${capitalised(opener)}, ${after}`;
  }
  return text;
}

function firstLetter(text: string, profile: StyleProfile, random: () => number): string {
  const { share } = profile.lowerCaseStart;
  if (random() >= share) return capitalised(text);
  if (share >= 0.9)
    return text.replace(
      /(^|[.!?…]\s+|\n)(\p{Lu})(?=\p{Ll}*(?:[\s,.!?:;)]|$))/gu,
      (_, edge: string, letter: string) => edge + letter.toLowerCase(),
    );
  return lowered(text);
}

/** Lower-cases the first letter of a function word, or of any word if the owner ignores capitals; others may be names. */
function lowered(text: string, always = false): string {
  const first = /^\p{L}+/u.exec(text)?.[0];
  if (always && first !== undefined && /^\p{Lu}?\p{Ll}+$/u.test(first) && !/^\p{L}+-\p{Lu}/u.test(text))
    return text[0]!.toLowerCase() + text.slice(1);
  if (first === undefined || !FUNCTION_WORDS.has(first.toLowerCase().replaceAll("ё", "е")) || first === "I")
    return text;
  return text[0]!.toLowerCase() + text.slice(1);
}

function finalMark(text: string, profile: StyleProfile, random: () => number, smile: boolean): string {
  const full = random() < profile.finalFullStop.share;
  const brackets = random() < profile.brackets.share;
  const emoji = random() < profile.emoji.share;
  const bare = text.replace(/(?<=[^.])\.$/, "");
  // An owner who ends nearly everything with «!» uses it for facts too.
  if (profile.exclamation.share >= 0.6 && /[\p{L}\p{N}»")₽%]$/u.test(bare))
    return smile && random() < profile.exclamation.share ? `${bare}!` : `${bare}.`;
  const marked = full && /[\p{L}\p{N}»")₽%]$/u.test(bare) ? `${bare}.` : bare;
  if (!smile) return marked;
  const bracket = profile.brackets.top.find((one) => !/[(/]/.test(one.text));
  if (brackets && bracket !== undefined && !/[)(]$/.test(bare))
    return /^\)/.test(bracket.text) ? `${bare}${bracket.text}` : `${bare} ${bracket.text}`;
  const face = weighted(
    profile.emoji.top.filter((one) => !SAD.test(one.text)),
    random,
  );
  return emoji && face !== null ? `${bare} ${face}` : marked;
}

const SAD = /[😢😭😞😔😟🙁☹😠😡🤬💔😱🤮🤢💀🖕]/u;

/** Picks one text, weighted by count; null from an empty list. */
export function weighted(ranked: readonly { text: string; count: number }[], random: () => number): string | null {
  let left = random() * ranked.reduce((sum, one) => sum + one.count, 0);
  for (const one of ranked) {
    left -= one.count;
    if (left < 0) return one.text;
  }
  return ranked[0]?.text ?? null;
}

export const capitalised = (text: string) => (text === "" ? text : text[0]!.toUpperCase() + text.slice(1));
/** Whether the text is in Latin letters, apart from links, addresses and file names, which belong to no language. */
export function isLatin(text: string): boolean {
  const said = text
    .split(/\s+/)
    .filter((word) => !/[\p{L}\p{N}][./:@_][\p{L}\p{N}/]/u.test(word))
    .join(" ");
  return (said.match(/[a-z]/gi)?.length ?? 0) > (said.match(/[а-яё]/gi)?.length ?? 0);
}
const sameScript = (one: string, other: string) => isLatin(one) === isLatin(other);
