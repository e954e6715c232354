/** Marks that are not words: brackets, emoji, dashes, quotes, ё. */

/** «)», «))», «)))» (three stand for more), «:)», «:D», «(»: brackets that close or open nothing. */
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

/** Every emoji of a text; ©, ® and ™ are not counted, nor are keycaps, which hold digits. */
export function emojiIn(text: string): string[] {
  if (!PICTOGRAPH.test(text)) return [];
  return (text.match(EMOJI) ?? []).filter((emoji) => !/^[©®™\d#*‼⁉]/u.test(emoji));
}

/** Words that have ё when it is written; «все» and «чем» are not among them, for they are words without it too. */
const YO_MISSING =
  /(?<!\p{L})(?:еще|ее|мое|твое|свое|идет|дает|пришел|придет|пошел|нашел|шел|ушел|ждем|пойдет|найдет|берет|живет)(?!\p{L})/iu;

type Pair = [first: number, second: number];

/** How often the first and the second spelling stand: ё or е, — or -, « or ". */
export function typographyOf(text: string): { yo: Pair; longDash: Pair; guillemets: Pair } {
  const written = text.includes("ё") || text.includes("Ё");
  return {
    yo: [written ? 1 : 0, !written && YO_MISSING.test(text) ? 1 : 0],
    longDash: [/ [—–] /.test(text) ? 1 : 0, / - /.test(text) ? 1 : 0],
    guillemets: [text.includes("«") ? 1 : 0, text.includes('"') ? 1 : 0],
  };
}

/** Latin and all (Latin and Cyrillic) letters of a text. */
export function lettersOf(text: string): { latin: number; all: number } {
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
