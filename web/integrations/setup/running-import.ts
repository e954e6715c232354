import { DRAFT_PREFIX } from "#web/drafts.ts";

/** The import that the wizard waits for, kept for this tab and this person: who comes back to the page sees it go on. */
interface RunningImport {
  integrationId: string;
  /** Dialogs that were chosen; null: the latest ones are read. */
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

/** @param running null: it has ended, and its end was shown */
export function keepRunningImport(userId: string, running: RunningImport | null): void {
  if (running === null) sessionStorage.removeItem(keyOf(userId));
  else sessionStorage.setItem(keyOf(userId), JSON.stringify(running));
}
