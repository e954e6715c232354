// Answerers that a measure of manner must not take for the owner, though each has his words: the true replies with their words in another
// order, a chain of his word pairs, and a caricature of his ten most frequent messages.
import { shuffled } from "#server/answers/fidelity/verifier.ts";
import { guardOutput } from "#server/answers/output-guard/guard-output.ts";
import type { Generator } from "#server/answers/replies/generator.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";

export interface OwnersWords {
  /** The true reply to each message. */
  replies: ReadonlyMap<string, string>;
  /** Everything that the owner wrote, a message each. */
  messages: readonly string[];
}

const LONGEST_CHAIN = 25;
const PHRASES = 10;

export function controlsFor({ replies, messages }: OwnersWords): Record<string, Generator> {
  const followers = chainOf(messages);
  const counts = Map.groupBy(messages, (text) => text.toLowerCase());
  const frequent = [...counts.values()].toSorted((a, b) => b.length - a.length).slice(0, PHRASES);
  return {
    shuffled: answerer((message, random) => shuffled((replies.get(message) ?? "ok").split(/\s+/), random).join(" ")),
    "Markov chain": answerer((_message, random) => walk(followers, random)),
    caricature: answerer((_message, random) => frequent[Math.floor(random() * frequent.length)]![0]!),
  };
}

const answerer = (answer: (message: string, random: () => number) => string): Generator => ({
  name: "llm",
  async *generate({ message, seed }) {
    const text = answer(message, seededRandom(`${seed}${message}`));
    // A reply of a foreign link alone would be empty, which is an error.
    yield guardOutput(text, []).trim() === "" ? "ok" : text;
  },
});

/** For two words, what followed them; "" begins and ends a message. */
function chainOf(messages: readonly string[]): Map<string, string[]> {
  const followers = new Map<string, string[]>();
  for (const message of messages) {
    const words = ["", "", ...message.split(/\s+/), ""];
    for (let at = 2; at < words.length; at++) {
      const key = `${words[at - 2]} ${words[at - 1]}`;
      followers.set(key, [...(followers.get(key) ?? []), words[at]!]);
    }
  }
  return followers;
}

function walk(followers: ReadonlyMap<string, readonly string[]>, random: () => number): string {
  const said: string[] = [];
  let [first, second] = ["", ""];
  while (said.length < LONGEST_CHAIN) {
    const next = followers.get(`${first} ${second}`) ?? [""];
    const word = next[Math.floor(random() * next.length)]!;
    if (word === "") break;
    said.push(word);
    [first, second] = [second, word];
  }
  return said.join(" ") || "ok";
}
