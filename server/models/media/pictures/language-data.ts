/**
 * Finds tesseract's language data on this machine. Nothing is downloaded: Debian's packages tesseract-ocr-rus and tesseract-ocr-eng install
 * it.
 */
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";

export interface LanguageData {
  folder: string;
  /** File names without extension, Russian first. */
  languages: string[];
}

const USUAL = ["/usr/share/tesseract-ocr/*/tessdata", "/usr/share/tessdata", "/usr/local/share/tessdata"];

/** @param folder beside the data; null: the systems' usual folders are searched @returns null without Russian data */
export function findLanguageData(folder: string | null): LanguageData | null {
  const folders = folder === null ? globSync(USUAL).sort().reverse() : [folder];
  for (const one of folders) {
    const has = (language: string) => existsSync(join(one, `${language}.traineddata`));
    if (has("rus")) return { folder: one, languages: has("eng") ? ["rus", "eng"] : ["rus"] };
  }
  return null;
}
