/** Measures marks that are not words: brackets, emoji, dashes, quotes, ё. */
import type { StyleProfile } from "#contract/quality.ts";
import { type RecentExamples, ratioOrNull, Tally } from "./style-counters.ts";

/** Returns bracket smileys: «)», «))», «)))» (for three or more), «:)», «:D», «(», but not brackets that enclose text. */
export function bracketForms(text: string): string[] {
  if (!/[()]|[:;=xX][dD]/.test(text)) return [];
  const forms: string[] = [];
  let rest = text.replace(/[:;=]['-]?([)(]+|[dDpP](?![\p{L}\p{N}]))/gu, (smiley, mouth: string) => {
    forms.push(mouth.length > 1 ? `${smiley[0]}${mouth.slice(0, 3)}` : smiley);
    return " ";
  });
  rest = rest.replace(/(?<![\p{L}\p{N}])[xX]D+(?![\p{L}\p{N}])/gu, () => {
    forms.push("xD");
    return " ";
  });
  // «1)» and «а)» number a list.
  rest = rest.replace(/(?:^|[\s;])(?:\d{1,2}|\p{L})\)(?=\s)/gu, " ").replace(/\([^()]*\)/g, " ");
  for (const run of rest.match(/\)+|\(+/g) ?? []) forms.push(run.slice(0, 3));
  return forms;
}

const PICTOGRAPH = /\p{Extended_Pictographic}|[\u{1F1E6}-\u{1F1FF}]/u;
const EMOJI = /\p{RGI_Emoji}|\p{Extended_Pictographic}/gv;

/** Returns all emoji, without ©, ® and ™ and without keycaps, which contain digits. */
export function emojiIn(text: string): string[] {
  if (!PICTOGRAPH.test(text)) return [];
  return (text.match(EMOJI) ?? []).filter((emoji) => !/^[©®™\d#*‼⁉]/u.test(emoji));
}

/** Words always spelt with ё, without «все» and «чем», which are also other words. */
const YO_MISSING =
  /(?<!\p{L})(?:еще|ее|мое|твое|свое|идет|дает|пришел|придет|пошел|нашел|шел|ушел|ждем|пойдет|найдет|берет|живет)(?!\p{L})/iu;

type Pair = [first: number, second: number];

/** Counts of both spellings: ё and е, — and -, « and ". */
function typographyOf(text: string): { yo: Pair; longDash: Pair; guillemets: Pair } {
  const written = text.includes("ё") || text.includes("Ё");
  return {
    yo: [written ? 1 : 0, !written && YO_MISSING.test(text) ? 1 : 0],
    longDash: [/ [—–] /.test(text) ? 1 : 0, / - /.test(text) ? 1 : 0],
    guillemets: [text.includes("«") ? 1 : 0, text.includes('"') ? 1 : 0],
  };
}

function lettersOf(text: string): { latin: number; all: number } {
  let latin = 0;
  let cyrillic = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const lower = code | 32;
    if (lower >= 97 && lower <= 122) latin++;
    else if (code >= 0x400 && code < 0x500) cyrillic++;
  }
  return { latin, all: latin + cyrillic };
}

export type MarkName =
  | "letterStart"
  | "lowerCaseStart"
  | "wordEnd"
  | "finalFullStop"
  | "exclamation"
  | "question"
  | "ellipsis"
  | "brackets"
  | "emoji"
  | "latin";

export class Marks {
  readonly counts: Record<MarkName, number> = {
    letterStart: 0,
    lowerCaseStart: 0,
    wordEnd: 0,
    finalFullStop: 0,
    exclamation: 0,
    question: 0,
    ellipsis: 0,
    brackets: 0,
    emoji: 0,
    latin: 0,
  };
  readonly brackets = new Tally();
  readonly emoji = new Tally();
  readonly letters = { latin: 0, all: 0 };
  readonly #spellings = { yo: [0, 0], longDash: [0, 0], guillemets: [0, 0] } as Record<
    "yo" | "longDash" | "guillemets",
    [number, number]
  >;

  add(text: string, examples: RecentExamples): void {
    const note = (name: MarkName, seen: boolean) => {
      if (!seen) return;
      this.counts[name]++;
      examples.offer(name, text);
    };
    const first = text[0]!;
    const letter = first.toLowerCase() !== first.toUpperCase();
    if (letter) this.counts.letterStart++;
    note("lowerCaseStart", letter && first === first.toLowerCase());
    if (/[\p{L}\p{N}]$/u.test(text)) this.counts.wordEnd++;
    note("finalFullStop", /[^.]\.$/.test(text));
    note("exclamation", text.includes("!"));
    note("question", text.includes("?"));
    note("ellipsis", text.includes("…") || text.includes(".."));
    const brackets = bracketForms(text);
    note("brackets", brackets.length > 0);
    for (const form of brackets) this.brackets.add(form);
    const emoji = emojiIn(text);
    note("emoji", emoji.length > 0);
    for (const one of emoji) this.emoji.add(one);
    const letters = lettersOf(text);
    note("latin", letters.latin > 1);
    this.letters.latin += letters.latin;
    this.letters.all += letters.all;
    const pairs = typographyOf(text);
    if (Object.values(pairs).some(([first, second]) => first + second > 0)) examples.offer("typography", text);
    for (const name of ["yo", "longDash", "guillemets"] as const) {
      this.#spellings[name][0] += pairs[name][0];
      this.#spellings[name][1] += pairs[name][1];
    }
  }

  ofOnePerson(): void {
    this.brackets.ofOnePerson();
    this.emoji.ofOnePerson();
  }

  join(other: Marks): void {
    for (const name of Object.keys(this.counts) as MarkName[]) this.counts[name] += other.counts[name];
    this.brackets.join(other.brackets);
    this.emoji.join(other.emoji);
    this.letters.latin += other.letters.latin;
    this.letters.all += other.letters.all;
    for (const name of ["yo", "longDash", "guillemets"] as const) {
      this.#spellings[name][0] += other.#spellings[name][0];
      this.#spellings[name][1] += other.#spellings[name][1];
    }
  }

  typography(): StyleProfile["typography"] {
    const of = ([first, second]: [number, number]) => ratioOrNull(first, first + second);
    const met = ([first, second]: [number, number]) => first + second;
    const { yo, longDash, guillemets } = this.#spellings;
    return {
      yo: of(yo),
      longDash: of(longDash),
      guillemets: of(guillemets),
      of: { yo: met(yo), longDash: met(longDash), guillemets: met(guillemets) },
    };
  }
}
