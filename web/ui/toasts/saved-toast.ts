import { openToast, type ToastText, toast } from "./toast.ts";

const KEY = "kept-toast";

/** Before a load of another document: what stands on the screen is shown there too. Only what is text can be kept. */
export function saveToastForReload() {
  const shown = openToast();
  if (shown === undefined || (shown.description !== undefined && typeof shown.description !== "string")) return;
  const { title, description, variant } = shown;
  sessionStorage.setItem(KEY, JSON.stringify({ title, description, variant } satisfies ToastText));
}

/** At the start of a document. */
export function showSavedToast() {
  const kept = sessionStorage.getItem(KEY);
  if (kept === null) return;
  sessionStorage.removeItem(KEY);
  toast(JSON.parse(kept) as ToastText);
}
