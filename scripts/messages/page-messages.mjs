// Texts that stand outside of modules: in the pages, in the manifest and in the style sheet.
import { isMessage, normalized } from "./texts.mjs";

/** @typedef {import("./module-messages.mjs").Translate} Translate */

/** What is read of a page: between tags, in a description, and the language that it says it is in. */
const IN_PAGE = /(?<=>)[^<>]+(?=<)|(?<=\bcontent=")[^"]*(?=")/g;
/** A style sheet itself contains only texts that it puts before or behind an element. */
const IN_STYLES = /(?<=(["']))[^"'\n]*[а-яё][^"'\n]*(?=\1\s*[;}])/gi;

/**
 * @param {string} html
 * @param {Translate} translate
 * @param {string} language
 */
export function translatePage(html, translate, language) {
  return replaced(html, IN_PAGE, translate).replace('<html lang="ru"', `<html lang="${language}"`);
}

/**
 * @param {string} css
 * @param {Translate} translate
 */
export const translateStyles = (css, translate) => replaced(css, IN_STYLES, translate);

/**
 * @param {string} json the manifest of the application
 * @param {Translate} translate
 * @param {string} language
 */
export function translateManifest(json, translate, language) {
  const manifest = JSON.parse(json, (_key, value) =>
    typeof value === "string" && isMessage(value) ? (translate(normalized(value)) ?? value) : value,
  );
  return JSON.stringify({ ...manifest, lang: language });
}

/**
 * @param {string} text
 * @param {RegExp} places
 * @param {Translate} translate
 */
function replaced(text, places, translate) {
  return text.replace(places, (found) =>
    isMessage(found) ? found.replace(found.trim(), translate(normalized(found)) ?? found.trim()) : found,
  );
}
