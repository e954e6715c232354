import { useSyncExternalStore } from "react";

export type ThemeChoice = "system" | "light" | "dark";

const KEY = "theme";
const listeners = new Set<() => void>();

function stored(): ThemeChoice {
  const value = localStorage.getItem(KEY);
  return value === "light" || value === "dark" ? value : "system";
}

function systemIsDark() {
  return matchMedia("(prefers-color-scheme: dark)");
}

// public/theme.js applies the same rule before the first paint.
function paint() {
  const choice = stored();
  const dark = choice === "dark" || (choice === "system" && systemIsDark().matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", dark ? "#111819" : "#f5f8f8");
  for (const listener of listeners) listener();
}

export function watchTheme() {
  systemIsDark().addEventListener("change", paint);
  addEventListener("storage", (event) => {
    if (event.key === KEY || event.key === null) paint();
  });
}

export function setTheme(choice: ThemeChoice) {
  if (choice === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
  paint();
}

/** The theme that the user has chosen. The one in effect is in `<html data-theme>`. */
export function useTheme(): [ThemeChoice, (choice: ThemeChoice) => void] {
  const choice = useSyncExternalStore(subscribe, stored);
  return [choice, setTheme];
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
