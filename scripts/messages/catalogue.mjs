// A language is one file: web/i18n/<language>.json, the Russian text of the sources on the left, the other one on the right.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../runtime.mjs";
import { LOCALE } from "./texts.mjs";

/**
 * `screens` are texts of the browser's half, put into its code by the build; `server` are fixed sentences of the server, looked up when they come.
 * @typedef {{ screens: Record<string, string>, server: Record<string, string> }} Catalogue
 */

/** @param {string} language */
export const catalogueFile = (language) => join(root, "web", "i18n", `${language}.json`);

/**
 * @param {string} language
 * @returns {Catalogue}
 */
export const readCatalogue = (language) => JSON.parse(readFileSync(catalogueFile(language), "utf8"));

/**
 * What is wrong with a translation, in words; null where nothing is.
 * @param {string} text
 * @param {string} translated
 */
export function faultOf(text, translated) {
  if (translated.trim() === "") return "is not translated";
  if (translated !== translated.trim()) return "has spaces at its ends";
  if (text !== LOCALE && /[а-яё]/i.test(translated)) return "holds Cyrillic";
  if (/[«»]/.test(translated)) return "holds Russian quotation marks";
  if (placesOf(text) !== placesOf(translated)) return "has other places";
  if (isForms(text) && !/^[^|]+ \| [^|]+$/.test(translated)) return "needs two forms";
  return null;
}

/** @param {string} text */
const placesOf = (text) => (text.match(/\{\d+\}/g) ?? []).sort().join();

/** Three forms of a word; a longer list is one of the beginnings of words. @param {string} text */
const isForms = (text) => text.split(" | ").length === 3 && !/^[а-яё]+ \| [а-яё]+ \| [а-яё]+$/.test(text);
