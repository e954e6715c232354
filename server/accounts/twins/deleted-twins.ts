/** Modules that import this one cache parts of a twin; their listeners drop the cache when the twin is deleted. */

const listeners: ((twinId: string) => void)[] = [];

/** @param listener called after the commit, only in the process that deleted the twin */
export function onTwinDeleted(listener: (twinId: string) => void): void {
  listeners.push(listener);
}

/** Call it after the deletion is committed: before that, a search could load the twin again. */
export function announceTwinDeleted(twinId: string): void {
  for (const listener of listeners) listener(twinId);
}
