/** Records on whose behalf the database is used, so that callers who wait for an answer come first and background work last. */
import { AsyncLocalStorage } from "node:async_hooks";

interface Asking {
  /** Key of the waiting caller; "" when no user waits at a screen. */
  who: string;
  givesWay: boolean;
}

const asking = new AsyncLocalStorage<Asking>();
const BEHIND_CALLERS: Asking = { who: "", givesWay: false };
const BACKGROUND: Asking = { who: "", givesWay: true };

/** Runs `work` so that its database calls are attributed to this caller: a session, an API key or an IP address. */
export function runForCaller<T>(who: string, work: () => T): T {
  return asking.run({ who, givesWay: false }, work);
}

/** Runs short `work` without a caller, such as answering a contact: after callers, before background work. */
export function runBehindCallers<T>(work: () => T): T {
  return asking.run(BEHIND_CALLERS, work);
}

/**
 * Runs `work` as background work: it takes seconds or minutes, and no user waits for its next step. It yields to answers
 * (platform/process/background-throttle.ts).
 */
export function runInBackground<T>(work: () => T): T {
  return asking.run(BACKGROUND, work);
}

export const currentCaller = (): string => asking.getStore()?.who ?? "";

export const isInBackground = (): boolean => asking.getStore()?.givesWay === true;
