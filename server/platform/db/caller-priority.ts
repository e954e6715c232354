/** Records for whom the database is used, so that callers who wait for an answer come first, and background work last. */
import { AsyncLocalStorage } from "node:async_hooks";

interface Asking {
  /** The caller who waits; "" without a user at a screen. */
  who: string;
  givesWay: boolean;
}

const asking = new AsyncLocalStorage<Asking>();
const BEHIND_CALLERS: Asking = { who: "", givesWay: false };
const BACKGROUND: Asking = { who: "", givesWay: true };

/** Runs `work` so that its database calls count for this caller: a session, an API key or an IP address. */
export function runForCaller<T>(who: string, work: () => T): T {
  return asking.run({ who, givesWay: false }, work);
}

/** Runs `work` that is over in a moment and has no caller, such as answering a contact: behind callers, before background work. */
export function runBehindCallers<T>(work: () => T): T {
  return asking.run(BEHIND_CALLERS, work);
}

/**
 * Runs `work` as background work: it takes seconds or minutes, and nobody waits for its next step. It gives way to answers
 * (platform/process/background-throttle.ts).
 */
export function runInBackground<T>(work: () => T): T {
  return asking.run(BACKGROUND, work);
}

/** The caller who waits; "" without a user at a screen. */
export const currentCaller = (): string => asking.getStore()?.who ?? "";

/** Whether this is background work. */
export const isInBackground = (): boolean => asking.getStore()?.givesWay === true;
