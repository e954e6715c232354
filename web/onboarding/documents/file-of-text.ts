/** Characters of the first line that become the name. */
const NAME = 60;

/** Pasted text as the file that the upload takes, named by its first line. */
export function fileOfText(text: string): File {
  const [line = ""] = text.trim().split("\n");
  // What a file's name may not hold on some system or other becomes a space.
  const name = line
    .replace(/[^\p{L}\p{N}«»(),!? -]/gu, " ")
    .replace(/ +/g, " ")
    .trim()
    .slice(0, NAME)
    .trim();
  return new File([text], `${name || "Текст"}.txt`, { type: "text/plain" });
}
