/** Names of files inside the zip, made of what people call things. */

/** «01 Анна»: unlike any other of the same list, and a name on every system. */
export function fileNameOf(place: number, name: string): string {
  let clean = name
    .slice(0, 300)
    .toWellFormed()
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\\/:*?"<>|]/gu, " ")
    .replace(/\s+/gu, " ")
    .trim()
    .slice(0, 80)
    .toWellFormed();
  // Windows takes no name that ends so.
  while (clean.endsWith(".") || clean.endsWith(" ")) clean = clean.slice(0, -1);
  return `${String(place).padStart(2, "0")} ${clean === "" ? "Без названия" : clean}`;
}

/** A document's text is text, whatever it was uploaded as. */
export const textFileName = (place: number, name: string): string => {
  const file = fileNameOf(place, name);
  return /\.(?:txt|md)$/i.test(file) ? file : `${file}.txt`;
};
