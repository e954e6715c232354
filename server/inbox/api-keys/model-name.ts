const LETTERS: Record<string, string> = Object.fromEntries(
  "а a б b в v г g д d е e ё e ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch ы y э e ю yu я ya ъ _ ь _"
    .split(" ")
    .map((letter, at, all) => [letter, (all[at + 1] ?? "").replace("_", "")])
    .filter((_, at) => at % 2 === 0),
);
const LONGEST = 60;

/**
 * Returns the model name by which programs address the twin: «Анна (поддержка)» → `anna-podderzhka`; its id when the name has no letters.
 */
export function modelName(twin: { id: string; name: string }): string {
  const latin = [...twin.name.toLowerCase()].map((letter) => LETTERS[letter] ?? letter).join("");
  const name = latin
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST)
    .replace(/^-+|(?<!-)-+$/g, "");
  return name === "" ? twin.id : name;
}

export const isModel = (twin: { id: string; name: string }, asked: string): boolean =>
  asked === twin.id || asked === modelName(twin);
