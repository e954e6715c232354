/** Records for whom the database is used, so that callers who wait for an answer come before background work. */
import { AsyncLocalStorage } from "node:async_hooks";

const asking = new AsyncLocalStorage<string>();

/** Runs `work` so that its database calls count for this caller: a session, an API key or an IP address. */
export function runForCaller<T>(who: string, work: () => T): T {
  return asking.run(who, work);
}

/** Runs `work` as background work, for whose database calls nobody waits. */
export function runInBackground<T>(work: () => T): T {
  return asking.run("", work);
}

/** The caller who waits; "" for background work. */
export const currentCaller = (): string => asking.getStore() ?? "";
