/**
 * Lets a wrapper around a call add rows to each transaction in which the call changes rows. They are added right before the commit, so that
 * both are stored or neither.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Tx } from "./transaction.ts";

type Writing = (tx: Tx) => Promise<unknown>;
/** `write` is null once the call has ended: work that it left running in the background is not part of it. */
const calls = new AsyncLocalStorage<{ write: Writing | null }>();

/** @param write called in every tenant's transaction of `work`, including those that only read */
export async function writingBeforeCommit<Result>(write: Writing, work: () => Promise<Result>): Promise<Result> {
  const call: { write: Writing | null } = { write };
  try {
    return await calls.run(call, work);
  } finally {
    call.write = null;
  }
}

export async function beforeCommit(tx: Tx): Promise<void> {
  await calls.getStore()?.write?.(tx);
}
