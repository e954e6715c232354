import { useSyncExternalStore } from "react";

/** From this width on a list and its open item fit side by side (Tailwind's `lg`). */
const desktopQuery = matchMedia("(min-width: 64rem)");

function watch(onChange: () => void) {
  desktopQuery.addEventListener("change", onChange);
  return () => desktopQuery.removeEventListener("change", onChange);
}

export const isDesktop = (): boolean => desktopQuery.matches;

/** Whether the window has desktop width; changes cause a new render. */
export const useIsDesktop = (): boolean => useSyncExternalStore(watch, isDesktop);
