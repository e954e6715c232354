/** How much of a twin's replies only repeats the owner: repeating is not fidelity. */

/** Number of equal words in a row that is no coincidence. */
const RUN = 8;
const WORD = /[\p{L}\p{N}]+/gu;

/** Share of replies, 0..1, that hold eight words in a row of what the owner once wrote. */
export function copyRate(replies: readonly string[], memory: readonly string[]): number {
  if (replies.length === 0) return 0;
  const known = new Set(memory.flatMap(runsOf));
  return replies.filter((reply) => runsOf(reply).some((run) => known.has(run))).length / replies.length;
}

function runsOf(text: string): string[] {
  const words = [...text.toLowerCase().matchAll(WORD)].map(([word]) => word);
  return words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(" "));
}
