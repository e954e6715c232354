import { useSyncExternalStore } from "react";

type Floating = "none" | "drawer" | "palette";

// Only one of the two stands open, and anything may open them: a button, a shortcut, a screen.
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
