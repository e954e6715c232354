/** Drafts of forms stand in the tab's session storage under keys that begin with this. */
export const DRAFT_PREFIX = "draft:";

/** Logging out leaves no text behind for the next person at this machine. */
export function dropDrafts() {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(DRAFT_PREFIX)) sessionStorage.removeItem(key);
  }
}
