import { useSyncExternalStore } from "react";
import { dictionary, type Key, type Language } from "./dictionary.ts";

const KEY = "language";

/** The language that this page was built in. The server chooses it by a cookie (server/platform/pages/page-language.ts). */
export const PAGE_LANGUAGE: Language = import.meta.env.PAGE_LANGUAGE ?? "ru";

/** A stored ru or en is used; otherwise a browser language that starts with ru gives Russian, any other English. */
export function chooseLanguage(stored: string | null, browser: string): Language {
  if (stored === "ru" || stored === "en") return stored;
  return browser.toLowerCase().startsWith("ru") ? "ru" : "en";
}

const listeners = new Set<() => void>();
let current: Language | undefined;

/**
 * Language of navigation and statuses. A Russian page shows them in English to an English browser whose user has chosen nothing
 * (docs/decisions/038-page-delivery-and-languages.md).
 */
export function language(): Language {
  if (PAGE_LANGUAGE !== "ru") return PAGE_LANGUAGE;
  current ??= chooseLanguage(localStorage.getItem(KEY), navigator.language);
  return current;
}

/** Stores the language and reloads the page unless it was built in that language. */
function setLanguage(next: Language) {
  localStorage.setItem(KEY, next);
  // The Cookie Store API is missing in Firefox before 140 and in Safari before 18.4.
  // biome-ignore lint/suspicious/noDocumentCookie: see above
  document.cookie = `${KEY}=${next}; path=/; max-age=31536000; samesite=lax`;
  if (next !== PAGE_LANGUAGE) {
    location.reload();
    return;
  }
  current = next;
  document.documentElement.lang = next;
  for (const listener of listeners) listener();
}

export function applyLanguage() {
  document.documentElement.lang = language();
}

// During hydration React must find the texts of the prerendered page.
const prerenderedLanguage = (): Language => PAGE_LANGUAGE;

export function useLanguage() {
  const value = useSyncExternalStore(subscribe, language, prerenderedLanguage);
  return { language: value, setLanguage, t: (key: Key) => dictionary[value][key] };
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
