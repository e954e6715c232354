// A clock for each talk: what runs within it finds the talk's own day in `Date`.
import { AsyncLocalStorage } from "node:async_hooks";

const RealDate = Date;
/** Milliseconds that the talk's clock is ahead. */
const ahead = new AsyncLocalStorage<number>();

class TalkDate extends RealDate {
  constructor(...given: unknown[]) {
    if (given.length === 0) super(TalkDate.now());
    else super(...(given as [number]));
  }
  static override now(): number {
    return RealDate.now() + (ahead.getStore() ?? 0);
  }
}

/** @returns puts the usual clock back */
export function installTalkClocks(): () => void {
  globalThis.Date = TalkDate as DateConstructor;
  return () => {
    globalThis.Date = RealDate;
  };
}

/** @param begins ISO time at which the talk begins */
export const runAt = <T>(begins: string, work: () => Promise<T>): Promise<T> =>
  ahead.run(RealDate.parse(begins) - RealDate.now(), work);
