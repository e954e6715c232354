/** Handles code that could not be loaded, usually because a new release has replaced the files that an open page refers to. */

const missing = new WeakSet<object>();

/** Vite reports every failed dynamic import with the same error object that the importing screen gets. */
export function watchStaleChunks() {
  addEventListener("vite:preloadError", ({ payload }) => missing.add(payload));
}

/** Whether the error is about missing code that a screen needed; failures of preloading are ignored. */
export const isStaleChunkError = (error: unknown): boolean =>
  typeof error === "object" && error !== null && missing.has(error);

const RELOADED_AT = "reloaded-for-code-at";
/** If code is still missing so soon after a reload, another reload would not help. */
const MIN_RELOAD_INTERVAL_MS = 5 * 60_000;

/** Reloads the page at most once in five minutes; form input is kept as drafts. Returns false when it did not reload. */
export async function reloadForStaleChunk(): Promise<boolean> {
  try {
    if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) < MIN_RELOAD_INTERVAL_MS) return false;
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    // Without a connection the browser's own error page would replace this one.
    const { ok } = await fetch("/healthz", { cache: "no-store" });
    if (!ok) {
      sessionStorage.removeItem(RELOADED_AT);
      return false;
    }
  } catch {
    // There is no network, or no storage that could remember the reload.
    sessionStorage.removeItem(RELOADED_AT);
    return false;
  }
  location.reload();
  return true;
}
