/**
 * Lets a wrapper around a call write rows of its own into each transaction of the call that has changed rows, right before the commit:
 * either both are there afterwards or neither.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Tx } from "./transaction.ts";

type Writing = (tx: Tx) => Promise<unknown>;
/** `write` is null once the call has ended: what it has left running in the background is no part of it. */
const calls = new AsyncLocalStorage<{ write: Writing | null }>();

/** @param write called in every tenant's transaction of `work`, also in those that have only read */
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
