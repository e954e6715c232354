/** Names of the files inside the zip, made from the names that people have given. */

/** Returns «01 Анна»: the number makes it unique within its list, and it is valid on every operating system. */
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
  // Windows does not allow names that end with a dot or a space.
  while (clean.endsWith(".") || clean.endsWith(" ")) clean = clean.slice(0, -1);
  return `${String(place).padStart(2, "0")} ${clean === "" ? "Без названия" : clean}`;
}

/** Returns the name of a document's text file, which is plain text whatever the document was. */
export const textFileName = (place: number, name: string): string => {
  const file = fileNameOf(place, name);
  return /\.(?:txt|md)$/i.test(file) ? file : `${file}.txt`;
};
