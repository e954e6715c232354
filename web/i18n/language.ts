import { useSyncExternalStore } from "react";
import { dictionary, type Key, type Language } from "./dictionary.ts";

const KEY = "language";

/** A stored ru or en is used; otherwise a browser language that starts with ru gives Russian, any other English. */
export function chooseLanguage(stored: string | null, browser: string): Language {
  if (stored === "ru" || stored === "en") return stored;
  return browser.toLowerCase().startsWith("ru") ? "ru" : "en";
}

const listeners = new Set<() => void>();
let current: Language | undefined;

export function language(): Language {
  current ??= chooseLanguage(localStorage.getItem(KEY), navigator.language);
  return current;
}

export function setLanguage(next: Language) {
  current = next;
  localStorage.setItem(KEY, next);
  document.documentElement.lang = next;
  for (const listener of listeners) listener();
}

/** Sets the document's language at start. */
export function applyLanguage() {
  document.documentElement.lang = language();
}

// A page that was drawn at build is Russian, and React must find in it what it expects.
const prerenderedLanguage = (): Language => "ru";

export function useLanguage() {
  const value = useSyncExternalStore(subscribe, language, prerenderedLanguage);
  return { language: value, setLanguage, t: (key: Key) => dictionary[value][key] };
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
