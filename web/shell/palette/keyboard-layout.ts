const latin = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`";
const cyrillic = "йцукенгшщзхъфывапролджэячсмитьбюё";

const other = new Map<string, string>();
[...latin].forEach((key, place) => {
  const letter = cyrillic[place] as string;
  other.set(key, letter);
  other.set(letter, key);
});

/** Returns the text as typed with the other keyboard layout: «lbfkjub» gives «диалоги», «екфшт» gives «train». */
export function swapLayout(text: string): string {
  return [...text.toLowerCase()].map((letter) => other.get(letter) ?? letter).join("");
}
