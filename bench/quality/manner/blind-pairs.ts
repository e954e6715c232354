// Pairs for a reader who is to tell the owner's reply from the twin's: their sides are drawn by seed, and the key stands apart.
import { writeFileSync } from "node:fs";
import { shuffled } from "#server/answers/fidelity/verifier.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";

export interface ReplyPair {
  person: string;
  /** Who wrote the completions, which tells the audience. */
  writer: string;
  incoming: string;
  twin: string;
  own: string;
}

const READ = 40;

/** Returns what a completion says, a line each message; "" where it says nothing or is no record. */
export function saidIn(completion: string): string {
  try {
    const { messages } = JSON.parse(completion) as { messages?: unknown };
    return Array.isArray(messages) ? messages.join("\n") : "";
  } catch {
    return "";
  }
}

/** Writes `path` (what the reader reads) and `path.key` (which side is the owner's). Replies of at least two words are compared. */
export function writeBlindPairs(path: string, pairs: readonly ReplyPair[]): void {
  const random = seededRandom("blind pairs");
  const telling = pairs.filter(({ twin, own }) => [twin, own].every((text) => /\S\s+\S/u.test(text)));
  // The same message was asked by several: one of them is read.
  const once = [...new Map(shuffled(telling, random).map((pair) => [pair.incoming, pair])).values()].slice(0, READ);
  const sides = once.map((pair, at) => ({ number: at + 1, pair, owner: random() < 0.5 ? "A" : "B" }));
  const read = sides.map(({ number, pair: { incoming, twin, own }, owner }) => {
    const [A, B] = owner === "A" ? [own, twin] : [twin, own];
    return { number, incoming, A, B };
  });
  writeFileSync(path, JSON.stringify(read, null, 1));
  const key = sides.map(({ number, pair: { person, writer }, owner }) => ({ number, owner, person, writer }));
  writeFileSync(`${path}.key`, JSON.stringify(key, null, 1));
}
