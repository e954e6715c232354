const listeners = new Set<() => void>();

/** Calls the listener when an overloaded server has rejected a call, which is then retried automatically. */
export function onBusyServer(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function announceBusy() {
  for (const listener of listeners) listener();
}
