import { DocumentInput } from "#contract/knowledge/knowledge.ts";

/** Returns why pasted text cannot become a document, in the document form's words; undefined when it can. */
export const textRefusal = (text: string): string | undefined =>
  DocumentInput.shape.content.safeParse(text).error?.issues[0]?.message;

/** Maximum length of the name, which is the beginning of the first line. */
const NAME = 60;

/** Returns pasted text as a file for the upload, named by its first line. */
export function fileOfText(text: string): File {
  const [line = ""] = text.trim().split("\n");
  // Characters that some system forbids in file names become spaces.
  const name = line
    .replace(/[^\p{L}\p{N}«»(),!? -]/gu, " ")
    .replace(/ +/g, " ")
    .trim()
    .slice(0, NAME)
    .trim();
  return new File([text], `${name || "Текст"}.txt`, { type: "text/plain" });
}
