import { useSyncExternalStore } from "react";

type Floating = "none" | "drawer" | "palette";

// Only one of the two is open at a time, and any button, shortcut or screen may open them.
let open: Floating = "none";
const listeners = new Set<() => void>();

function show(next: Floating) {
  open = next;
  for (const listener of listeners) listener();
}

export const openDrawer = () => show("drawer");
export const openPalette = () => show("palette");
export const closeFloating = () => show("none");

export function useFloating(): Floating {
  return useSyncExternalStore(subscribe, () => open);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
