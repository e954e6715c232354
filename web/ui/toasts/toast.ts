import { type ReactNode, useSyncExternalStore } from "react";

export interface ToastText {
  title: string;
  description?: ReactNode;
  variant?: "default" | "destructive";
}

interface ToastEntry extends ToastText {
  id: number;
  open: boolean;
}

export const TOAST_MS = 5_000;
const VISIBLE_LIMIT = 1;
/** How long a dismissed toast stays in memory, in milliseconds. */
const REMOVAL_DELAY = 1_000_000;

let entries: readonly ToastEntry[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function publish(next: readonly ToastEntry[]) {
  entries = next;
  for (const listener of listeners) listener();
}

/** Shows a toast and returns how to dismiss it. Only one is visible, so a new one replaces the last. */
export function toast(text: ToastText): { dismiss: () => void } {
  const entry: ToastEntry = { ...text, id: nextId++, open: true };
  publish([entry, ...entries].slice(0, VISIBLE_LIMIT));
  return { dismiss: () => dismissToast(entry.id) };
}

export const openToast = (): ToastEntry | undefined => entries.find((entry) => entry.open);

function dismissToast(id: number) {
  if (!entries.some((entry) => entry.id === id && entry.open)) return;
  publish(entries.map((entry) => (entry.id === id ? { ...entry, open: false } : entry)));
  setTimeout(() => publish(entries.filter((entry) => entry.id !== id)), REMOVAL_DELAY);
}

export function useToast() {
  const toasts = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => entries,
    () => entries,
  );
  return { toasts, toast, dismiss: dismissToast };
}
