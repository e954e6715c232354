import { DRAFT_PREFIX } from "#web/drafts.ts";

/** The import that the wizard waits for, stored for this tab and this user, so that returning to the page shows its progress. */
interface RunningImport {
  integrationId: string;
  chosen: number | null;
}

const keyOf = (userId: string) => `${DRAFT_PREFIX}${userId}:telegram-import`;

export function runningImport(userId: string): RunningImport | null {
  try {
    const { integrationId, chosen = null } = JSON.parse(sessionStorage.getItem(keyOf(userId)) ?? "{}");
    return typeof integrationId === "string" ? { integrationId, chosen } : null;
  } catch {
    return null;
  }
}

/** @param running null when the import has ended and its result was shown */
export function keepRunningImport(userId: string, running: RunningImport | null): void {
  if (running === null) sessionStorage.removeItem(keyOf(userId));
  else sessionStorage.setItem(keyOf(userId), JSON.stringify(running));
}
