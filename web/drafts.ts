/** Prefix of the session storage keys that hold drafts of forms. */
export const DRAFT_PREFIX = "draft:";

/** Removes all drafts on logout, so that the next user of the machine does not see them. */
export function dropDrafts() {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(DRAFT_PREFIX)) sessionStorage.removeItem(key);
  }
}
