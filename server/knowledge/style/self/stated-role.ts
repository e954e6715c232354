import { isFirstName } from "#server/knowledge/language/words/first-names.ts";

/** «Я — мастер по обуви», «Меня зовут Иван, я флорист»; without a dash only before the name of a trade. */
const SELF =
  /(?:^|[.!?\n]|(?<=зовут \p{Lu}\p{L}{1,20}),)\s{0,3}я\s{1,3}(?<dash>[—–-]\s{1,3})?(?<role>\p{L}[^.,;:!?()\n—–]{2,80})/giu;
/** Endings of the names of trades. */
const TRADE =
  /(?:ист(?:ка)?|тель(?:ница)?|ник|ница|[щч]ик|[щч]ица|граф|лог|тор|тер|нер|вед|варь?|рач|арь|юрист|мейкер|лер|педагог)$/iu;
/** Verbs, adverbs and names, behind which no role stands. */
const NO_ROLE = /^(?:не|здесь|тут|всегда|также|тоже|просто|хочу|буду|знаю|могу|люблю)$/iu;

/** Returns what the author of a public text calls himself; null if he does not say. */
export function statedRole(text: string): string | null {
  for (const { groups } of text.slice(0, 4000).matchAll(SELF)) {
    const role = groups!.role!.trim();
    const [first = ""] = role.split(/\s+/, 1);
    if (NO_ROLE.test(first) || isFirstName(first.toLowerCase(), true)) continue;
    if (groups!.dash !== undefined || TRADE.test(first)) return role;
  }
  return null;
}
