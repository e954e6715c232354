import { openToast, type ToastText, toast } from "./toast.ts";

const KEY = "kept-toast";

/** Stores the visible toast before another document loads, so that it is shown there again. Only text can be stored. */
export function saveToastForReload() {
  const shown = openToast();
  if (shown === undefined || (shown.description !== undefined && typeof shown.description !== "string")) return;
  const { title, description, variant } = shown;
  sessionStorage.setItem(KEY, JSON.stringify({ title, description, variant } satisfies ToastText));
}

/** Called at the start of a document. */
export function showSavedToast() {
  const kept = sessionStorage.getItem(KEY);
  if (kept === null) return;
  sessionStorage.removeItem(KEY);
  toast(JSON.parse(kept) as ToastText);
}
