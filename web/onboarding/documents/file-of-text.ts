import { DocumentInput } from "#contract/knowledge/knowledge.ts";

/** Why pasted text is no document yet, in the words of the form that uploads documents; undefined: it is one. */
export const textRefusal = (text: string): string | undefined =>
  DocumentInput.shape.content.safeParse(text).error?.issues[0]?.message;

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
