/** The script of a text: a model that slips into another language is recognised by its letters. */

const CYRILLIC = /\p{Script=Cyrillic}/u;
const LATIN = /\p{Script=Latin}/u;
/** Letters of all other scripts: CJK, Arabic and so on. */
const OTHER = /(?=\p{L})[^\p{Script=Cyrillic}\p{Script=Latin}\p{Script=Greek}]/u;

export interface Letters {
  cyrillic: number;
  latin: number;
  other: number;
}

type Script = keyof Letters | "none";
/** A text of thousands of characters has some hundred different ones. */
const scripts = new Map<string, Script>();

function scriptOf(letter: string): Script {
  let script = scripts.get(letter);
  if (script === undefined) {
    script = CYRILLIC.test(letter) ? "cyrillic" : LATIN.test(letter) ? "latin" : OTHER.test(letter) ? "other" : "none";
    if (scripts.size < KEPT) scripts.set(letter, script);
  }
  return script;
}
/** All letters of the languages that are written here; whoever writes in thousands of signs is looked up anew. */
const KEPT = 5000;

export function lettersOf(text: string): Letters {
  const letters = { cyrillic: 0, latin: 0, other: 0, none: 0 };
  for (const letter of text) letters[scriptOf(letter)]++;
  const { cyrillic, latin, other } = letters;
  return { cyrillic, latin, other };
}

/** Letters: fewer may be a name or a link. */
const ENOUGH = 12;

/**
 * Whether a sentence is in a script that neither the question nor the owner uses.
 * @param hasWord whether a source holds the word; words from sources may stay in their own script
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
