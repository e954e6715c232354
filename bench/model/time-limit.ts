// Benchmarks that end: what is asked in turns of every base, so that a run that is cut short has asked a bit of each.

/** The first of each list, then the second of each, and so on. */
export function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) =>
    lists.flatMap((list) => (at < list.length ? [list[at]!] : [])),
  ).flat();
}

/** Whether the time is over; no time given: never. */
export function timeLimit(seconds: string | undefined, now: () => number = () => performance.now()): () => boolean {
  if (seconds === undefined) return () => false;
  const until = now() + Number(seconds) * 1000;
  return () => now() > until;
}
