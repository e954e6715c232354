/** Why pictures cannot be read here; null: they can. */
import { findLanguageData } from "#server/models/media/pictures/language-data.ts";

export const noLanguageData = (): string | null =>
  findLanguageData(null) === null ? "tesseract-ocr-rus is not installed" : null;
