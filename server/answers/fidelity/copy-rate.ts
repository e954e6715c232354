/** Measures verbatim repetition of the owner, because repeating is not fidelity. */

/** Number of consecutive equal words that is no coincidence. */
const RUN = 8;
const WORD = /[\p{L}\p{N}]+/gu;

/** Share of replies, 0..1, with eight consecutive words from one of the owner's messages. */
export function copyRate(replies: readonly string[], memory: readonly string[]): number {
  if (replies.length === 0) return 0;
  const known = new Set(memory.flatMap(runsOf));
  return replies.filter((reply) => runsOf(reply).some((run) => known.has(run))).length / replies.length;
}

function runsOf(text: string): string[] {
  const words = [...text.toLowerCase().matchAll(WORD)].map(([word]) => word);
  return words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(" "));
}
