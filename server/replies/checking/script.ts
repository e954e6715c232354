/** In which script a text is written: a model that slips into another language is told by its letters. */

const CYRILLIC = /\p{Script=Cyrillic}/gu;
const LATIN = /\p{Script=Latin}/gu;
/** Of neither: of CJK, Arabic and so on. */
const OTHER = /(?=\p{L})[^\p{Script=Cyrillic}\p{Script=Latin}\p{Script=Greek}]/gu;

export interface Letters {
  cyrillic: number;
  latin: number;
  other: number;
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
export const lettersOf = (text: string): Letters => ({
  cyrillic: count(text, CYRILLIC),
  latin: count(text, LATIN),
  other: count(text, OTHER),
});

/** A name or a link is no language. */
const ENOUGH = 12;

/**
 * Whether a sentence is in a script that neither the question nor the owner writes.
 * @param hasWord whether a source holds the word: what is quoted is in its own language
 */
export function inForeignScript(
  sentence: string,
  { asked, owners }: { asked: Letters; owners: Letters },
  hasWord: (word: string) => boolean,
): boolean {
  const said = lettersOf(
    sentence
      .split(/\s+/)
      .filter((word) => !/[@/.](?=[^\s.])/.test(word))
      .join(" "),
  );
  if (said.other > 0 && asked.other + owners.other === 0) return true;
  const writes = (script: "cyrillic" | "latin") =>
    asked[script] > asked.cyrillic + asked.latin - asked[script] ||
    (owners[script] >= (owners.cyrillic + owners.latin) * 0.5 && owners[script] > 0);
  if (said.latin >= ENOUGH && said.latin > said.cyrillic && !writes("latin")) {
    const words = sentence.toLowerCase().match(/[a-z]{2,}/g) ?? [];
    return words.filter((word) => !hasWord(word)).length > words.length * 0.4;
  }
  return said.cyrillic >= ENOUGH && said.cyrillic > said.latin && owners.cyrillic + asked.cyrillic === 0;
}
