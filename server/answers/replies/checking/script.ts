/** Detects the script of a text: a model that slips into another language is recognised by its letters. */

const CYRILLIC = /\p{Script=Cyrillic}/u;
const LATIN = /\p{Script=Latin}/u;
/** Letters of all other scripts: CJK, Arabic and so on. */
const OTHER = /(?=\p{L})[^\p{Script=Cyrillic}\p{Script=Latin}\p{Script=Greek}]/u;

export interface Letters {
  cyrillic: number;
  latin: number;
  other: number;
}

/** 0: no letter or Greek, 1 Cyrillic, 2 Latin, 3 another script. */
const kindOf = (letter: string): number =>
  CYRILLIC.test(letter) ? 1 : LATIN.test(letter) ? 2 : OTHER.test(letter) ? 3 : 0;

/** Lookup table for the most frequent letters, because a reply's sources have thousands of them. */
const COMMON = 0x530;
const commonKinds = Uint8Array.from({ length: COMMON }, (_, code) => kindOf(String.fromCharCode(code)));

export function lettersOf(text: string): Letters {
  const counts = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    let code = text.charCodeAt(at);
    let kind = commonKinds[code];
    if (kind === undefined) {
      code = text.codePointAt(at)!;
      kind = kindOf(String.fromCodePoint(code));
      if (code > 0xffff) at++;
    }
    counts[kind]!++;
  }
  return { cyrillic: counts[1]!, latin: counts[2]!, other: counts[3]! };
}

/** Minimum number of letters; fewer may be a name or a link. */
const ENOUGH = 12;

/**
 * Whether a sentence is in a script that neither the question nor the owner uses.
 * @param hasWord whether a source contains the word; such words may keep their own script
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
