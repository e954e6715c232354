/** Where tesseract's language data lies on this machine. Nothing is fetched: Debian's packages tesseract-ocr-rus and tesseract-ocr-eng bring it. */
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";

export interface LanguageData {
  folder: string;
  /** Names of its files without their ending, Russian first. */
  languages: string[];
}

const USUAL = ["/usr/share/tesseract-ocr/*/tessdata", "/usr/share/tessdata", "/usr/local/share/tessdata"];

/** @param folder as the settings name it; null: where systems put it. @returns null without Russian data */
export function findLanguageData(folder: string | null): LanguageData | null {
  const folders = folder === null ? globSync(USUAL).sort().reverse() : [folder];
  for (const one of folders) {
    const has = (language: string) => existsSync(join(one, `${language}.traineddata`));
    if (has("rus")) return { folder: one, languages: has("eng") ? ["rus", "eng"] : ["rus"] };
  }
  return null;
}
