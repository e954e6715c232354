/** Code that could not be fetched: most often a new release has taken the place of the files that an open page knows. */

const missing = new WeakSet<object>();

/** Vite tells of every dynamic import that fails, with the very error that the importing screen gets. */
export function watchMissingCode() {
  addEventListener("vite:preloadError", ({ payload }) => missing.add(payload));
}

/** Only what was really needed is asked about here: code that is fetched ahead may fail unnoticed. */
export const isMissingCode = (error: unknown): boolean =>
  typeof error === "object" && error !== null && missing.has(error);

const RELOADED_AT = "reloaded-for-code-at";
/** Code that is missing so soon after a reload is not an old page's: the next reload would bring it no nearer. */
const PAUSE_MS = 5 * 60_000;

/** Loads the page anew, at most once in five minutes; what was typed into forms stays as their drafts. False when it did not. */
export async function reloadForCode(): Promise<boolean> {
  try {
    if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) < PAUSE_MS) return false;
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    // Without a connection the browser's own error page would take the place of this one.
    const { ok } = await fetch("/healthz", { cache: "no-store" });
    if (!ok) {
      sessionStorage.removeItem(RELOADED_AT);
      return false;
    }
  } catch {
    // No network, or no storage to remember the reload by.
    sessionStorage.removeItem(RELOADED_AT);
    return false;
  }
  location.reload();
  return true;
}
