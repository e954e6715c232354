import { useSyncExternalStore } from "react";

/** From this width on a screen has room for a list and what is opened from it side by side (Tailwind's `lg`). */
const desk = matchMedia("(min-width: 64rem)");

function watch(onChange: () => void) {
  desk.addEventListener("change", onChange);
  return () => desk.removeEventListener("change", onChange);
}

export const isDesk = (): boolean => desk.matches;

/** Whether the screen is that wide; the component is drawn again when that changes. */
export const useDesk = (): boolean => useSyncExternalStore(watch, isDesk);
