import type { StyleRule } from "#contract/corrections.ts";
import { type Address, addressIn, agreeAddress } from "#server/knowledge/language/address.ts";
import { splitSentences } from "#server/knowledge/language/sentences.ts";
import { findPhrases, wordsOf } from "#server/knowledge/language/words/lexicon.ts";
import { bracketForms, emojiIn } from "#server/knowledge/style/style-marks.ts";
import { capitalised, isLatin } from "#server/knowledge/style/style-transfer.ts";

interface RuleSetting {
  /** Whether the twin has written nothing in this conversation yet; only then a greeting is wanted. */
  opening: boolean;
  address: Address;
}

const CLAUSE = /^[^,.!?…\n]*[,.!?…)\s]*/u;

export function greetingLength(text: string): number {
  const clause = CLAUSE.exec(text)?.[0] ?? "";
  const words = wordsOf(clause);
  const [greeting] = findPhrases(words).filter(({ kind, at }) => kind === "greeting" && at === 0);
  // A greeting may include the addressee: «Добрый день, Анна!», «привет всем».
  return greeting !== undefined && words.length - greeting.length <= 1 ? clause.length : 0;
}

export const sentencesIn = (text: string): number => splitSentences(text.slice(greetingLength(text))).length;

const lastLine = (text: string) => text.trimEnd().split("\n").at(-1) ?? "";
const firstLetter = (text: string) => /\p{L}/u.exec(text)?.[0] ?? "";
const plain = (text: string) => text.toLowerCase().replaceAll("ё", "е");
const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
const phrasePattern = (phrase: string) =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])${escaped(plain(phrase)).replace(/е/g, "[её]")}(?![\p{L}\p{N}])`, "giu");

export function followsRule(text: string, rule: StyleRule, { opening }: Pick<RuleSetting, "opening">): boolean {
  switch (rule.habit) {
    case "length":
      return sentencesIn(text) <= rule.sentences;
    case "address": {
      const { familiar, polite } = addressIn(wordsOf(text));
      return rule.address === "ты" ? !polite : !familiar;
    }
    case "greeting":
      return rule.keep ? !opening || greetingLength(text) > 0 : greetingLength(text) === 0;
    case "fullStop":
      return rule.keep ? !/[\p{L}\p{N}]$/u.test(lastLine(text)) : !/[^.]\.$/.test(lastLine(text));
    case "lowerCase": {
      const letter = firstLetter(text);
      return letter === (rule.keep ? letter.toLowerCase() : letter.toUpperCase());
    }
    case "exclamation":
      return !text.includes("!");
    case "emoji":
      return rule.mark === "" ? emojiIn(text).length === 0 : text.includes(rule.mark);
    case "brackets":
      return rule.mark === "" ? bracketForms(text).length === 0 : text.trimEnd().endsWith(rule.mark);
    case "phrase":
      return !phrasePattern(rule.phrase).test(text);
  }
}

/** Rules that remove something apply before those about the end of the text. */
const ORDER: readonly StyleRule["habit"][] = [
  "phrase",
  "greeting",
  "length",
  "address",
  "exclamation",
  "fullStop",
  "brackets",
  "emoji",
  "lowerCase",
];

/** Returns the text changed to follow every rule, as far as no other words are needed. A rule that would leave nothing is skipped. */
export function applyRules(text: string, rules: readonly StyleRule[], setting: RuleSetting): string {
  return ORDER.flatMap((habit) => rules.filter((rule) => rule.habit === habit)).reduce((shaped, rule) => {
    if (followsRule(shaped, rule, setting)) return shaped;
    const kept = shapedBy(shaped, rule, setting);
    return /[\p{L}\p{N}]/u.test(kept) ? kept : shaped;
  }, text);
}

function shapedBy(text: string, rule: StyleRule, { address }: RuleSetting): string {
  switch (rule.habit) {
    case "length": {
      const greeted = greetingLength(text);
      const sentences = splitSentences(text.slice(greeted));
      return text.slice(0, greeted) + sentences.slice(0, rule.sentences).join(" ");
    }
    case "address":
      return agreeAddress(text, rule.address) ?? text;
    case "greeting": {
      if (!rule.keep) return capitalised(text.slice(greetingLength(text)).trimStart());
      const greeting = isLatin(text) ? "Hi" : address === "вы" ? "Здравствуйте" : "Привет";
      return `${greeting}! ${text}`;
    }
    case "fullStop":
      return rule.keep ? `${text.trimEnd()}.` : text.replace(/(?<=[^.])\.(?=\s*$)/, "");
    case "lowerCase":
      return text.replace(/\p{L}/u, (letter) => (rule.keep ? letter.toLowerCase() : letter.toUpperCase()));
    case "exclamation":
      return text.replace(/!+/g, ".");
    case "emoji":
      return rule.mark === "" ? withoutEmoji(text) : `${text.trimEnd()} ${rule.mark}`;
    case "brackets":
      return rule.mark === "" ? withoutBrackets(text) : withMark(text, rule.mark);
    case "phrase":
      return tidied(text.replace(phrasePattern(rule.phrase), ""));
  }
}

const withoutEmoji = (text: string) =>
  emojiIn(text)
    .reduce((left, emoji) => left.replaceAll(emoji, ""), text)
    .replace(/[ \t]{2,}/g, " ")
    .trim();

/** Removes smiles at the ends of lines: «)», «:)», «=-((». */
const withoutBrackets = (text: string) =>
  text
    .split("\n")
    .map((line) => {
      const bare = line.trimEnd();
      let end = bare.length;
      while (end > 0 && "()".includes(bare[end - 1]!)) end--;
      if (end === bare.length) return line;
      if (end > 0 && bare[end - 1] === "-") end--;
      if (end > 0 && ":;=".includes(bare[end - 1]!)) end--;
      return bare.slice(0, end).trimEnd();
    })
    .join("\n");

const withMark = (text: string, mark: string) => text.trimEnd().replace(/(?<=[^.])\.$/, "") + mark;

/** Repairs the text after a phrase was removed: doubled commas, a leading comma, a lower-case first letter. */
function tidied(text: string): string {
  const joined = text
    .replace(/[ \t]{2,}/g, " ")
    .replace(/(?<!\s)\s+(?=[,.!?…])/g, "")
    .replace(/,\s*(?=[,.!?…])/g, "")
    .replace(/^[\s,.!?…—-]+/u, "")
    .replace(/(?<=[.!?…]\s)[,\s]+/gu, "")
    .trim();
  return firstLetter(text) === firstLetter(text).toLowerCase() && !/^\s*[,.!]/.test(text)
    ? joined
    : capitalised(joined);
}
