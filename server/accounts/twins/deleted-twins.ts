/** Rooms above this one keep parts of a twin in memory; they learn here that it was deleted. */

const listeners: ((twinId: string) => void)[] = [];

/** @param listener called after the deletion, in the process that deleted the twin */
export function onTwinDeleted(listener: (twinId: string) => void): void {
  listeners.push(listener);
}

/** To be called once the deletion is committed: before that, a search could load the twin again. */
export function announceTwinDeleted(twinId: string): void {
  for (const listener of listeners) listener(twinId);
}
