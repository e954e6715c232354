import type { StyleRule } from "#contract/corrections.ts";
import { addressIn } from "#server/knowledge/language/address.ts";
import { findPhrases, type PhraseKind, wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import { bracketForms, emojiIn } from "#server/knowledge/style/style-marks.ts";
import { followsRule, greetingLength, sentencesIn } from "./style-rules.ts";

/** Share of the twin's length below which the owner's wording means that he wants shorter answers. */
const SHORTER = 0.75;
const MAX_PHRASES = 2;
const EMPTY: ReadonlySet<PhraseKind> = new Set(["filler", "farewell", "welcome", "colloquial"]);
const OFFICIAL = [
  "к сожалению",
  "в данный момент",
  "на данный момент",
  "осуществляется",
  "рад помочь",
  "если возникнут вопросы",
];

export function findRules(twinReply: string, expected: string): StyleRule[] {
  const opening = greetingLength(twinReply) > 0 || greetingLength(expected) > 0;
  const told = { opening };
  return candidates(twinReply, expected).filter(
    (rule) => followsRule(expected, rule, told) && !followsRule(twinReply, rule, told),
  );
}

function candidates(twinReply: string, expected: string): StyleRule[] {
  const found: StyleRule[] = [];
  const own = sentencesIn(expected);
  if (own >= 1 && own <= 9 && expected.length < twinReply.length * SHORTER)
    found.push({ habit: "length", sentences: own });
  const { familiar, polite } = addressIn(wordsOf(expected));
  if (familiar !== polite) found.push({ habit: "address", address: familiar ? "ты" : "вы" });
  found.push(
    { habit: "greeting", keep: greetingLength(expected) > 0 },
    { habit: "fullStop", keep: /[^.]\.$/.test(expected.trimEnd()) },
    { habit: "lowerCase", keep: startsSmall(expected) },
    { habit: "exclamation" },
    { habit: "emoji", mark: emojiIn(expected).at(-1) ?? "" },
    { habit: "brackets", mark: bracketForms(expected).at(-1) ?? "" },
  );
  return [...found, ...phrases(twinReply).map((phrase): StyleRule => ({ habit: "phrase", phrase }))];
}

function startsSmall(text: string): boolean {
  const letter = /\p{L}/u.exec(text)?.[0] ?? "";
  return letter !== letter.toUpperCase();
}

function phrases(twinReply: string): string[] {
  const words = wordsOf(twinReply);
  const set = findPhrases(words)
    .filter(({ kind, length }) => EMPTY.has(kind) && length > 0)
    .map(({ text }) => text);
  const said = words.join(" ");
  return [...OFFICIAL.filter((phrase) => said.includes(phrase)), ...set].slice(0, MAX_PHRASES);
}
