// "Twins" that are no twins: strangers, phrases, a caricature, and text that nobody wrote.
import { MAX_JUDGED_REPLIES } from "#server/answers/fidelity/fidelity.ts";
import { shuffled } from "#server/answers/fidelity/verifier.ts";
import type { Stage } from "./stage.ts";

const pick = <T>(items: readonly T[], random: () => number): T => items[Math.floor(random() * items.length)]!;
const hundred = (make: () => string) => Array.from({ length: MAX_JUDGED_REPLIES }, make);
const wordsOf = (text: string) => text.split(" ");

/** The stranger's words with the owner's case, final stop and smileys. */
function dressed({ stranger, memory, random }: Stage): string[] {
  const share = (test: (text: string) => boolean) => memory.filter(test).length / memory.length;
  const lower = share((text) => /^\p{Ll}/u.test(text));
  const stop = share((text) => text.endsWith("."));
  const marks = memory.flatMap((text) => text.match(/[)(]{1,5}$|[:;]-?[)(DP]|!+$|\.{2,}$|…$/gu) ?? []);
  return stranger.map((text) => {
    const bare = text.replace(/[.!)…]+$/u, "");
    const start = random() < lower ? (bare[0] ?? "").toLowerCase() : (bare[0] ?? "").toUpperCase();
    const end = random() < stop ? "." : random() < marks.length / memory.length ? pick(marks, random) : "";
    return `${start}${bare.slice(1)}${end}`;
  });
}

function frequentPhrases({ memory, random }: Stage): string[] {
  const counts = new Map<string, number>();
  for (const text of memory) counts.set(text, (counts.get(text) ?? 0) + 1);
  const ten = [...counts].toSorted((a, b) => b[1] - a[1] || a[0].length - b[0].length).slice(0, 10);
  return hundred(() => pick(ten, random)[0]);
}

/** Eight of the thirty words that tell the owner from the stranger most, in any order. */
function caricature({ memory, stranger, random }: Stage): string[] {
  const count = (texts: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const word of texts.flatMap(wordsOf)) counts.set(word, (counts.get(word) ?? 0) + 1);
    return counts;
  };
  const [own, other] = [count(memory), count(stranger)];
  const telling = [...own]
    .filter(([, n]) => n >= 3)
    .map(([word, n]) => ({ word, odds: Math.log(n + 0.5) - Math.log((other.get(word) ?? 0) + 0.5) }))
    .toSorted((a, b) => b.odds - a.odds)
    .slice(0, 30);
  return hundred(() => Array.from({ length: 8 }, () => pick(telling, random).word).join(" "));
}

/** A chain of words, each drawn by the `order` before it. */
function markov(texts: readonly string[], order: number, random: () => number): string[] {
  const next = new Map<string, string[]>();
  for (const text of texts) {
    const line = [...Array<string>(order).fill("^"), ...wordsOf(text), "$"];
    for (let at = order; at < line.length; at++) {
      const key = line.slice(at - order, at).join(" ");
      const known = next.get(key);
      if (known === undefined) next.set(key, [line[at]!]);
      else known.push(line[at]!);
    }
  }
  return hundred(() => {
    const line = Array<string>(order).fill("^");
    while (line.length < 60) {
      const word = pick(next.get(line.slice(-order).join(" "))!, random);
      if (word === "$") break;
      line.push(word);
    }
    return line.slice(order).join(" ");
  });
}

/** The first half of a message and the second half of another. */
function glued({ memory, random }: Stage): string[] {
  const long = memory.map(wordsOf).filter((words) => words.length >= 4);
  return hundred(() => {
    const [one, other] = [pick(long, random), pick(long, random)];
    return [...one.slice(0, Math.ceil(one.length / 2)), ...other.slice(Math.ceil(other.length / 2))].join(" ");
  });
}

const SENTENCE = /[^.!?…]+[.!?…]*/gu;

/** Messages of several sentences, whose sentences change places with those of others. */
function sentences({ memory, random }: Stage): string[] {
  const split = shuffled(memory, random)
    .map((text) => (text.match(SENTENCE) ?? []).map((one) => one.trim()).filter((one) => one !== ""))
    .filter((all) => all.length >= 2)
    .slice(0, MAX_JUDGED_REPLIES);
  const all = shuffled(split.flat(), random);
  return split.map((own) => own.map(() => all.pop()!).join(" "));
}

const wordShuffled = (texts: readonly string[], random: () => number) =>
  texts.map((text) => shuffled(wordsOf(text), random).join(" "));

const CANNED = [
  "Спасибо за ваше сообщение! Чем я могу вам помочь?",
  "Здравствуйте! Я с радостью отвечу на ваш вопрос.",
  "Пожалуйста, уточните ваш запрос.",
  "Thank you for your message! How can I help you today?",
  "I am happy to assist you with your question.",
  "Could you please provide more details?",
];

const mixed = (stage: Stage, share: number) =>
  stage.later.map((text, at) => (stage.random() < share ? text : stage.stranger[at % stage.stranger.length]!));

export const twins: Record<string, (stage: Stage) => string[]> = {
  "the owner, held out": ({ later }) => later,
  "three quarters the owner": (stage) => mixed(stage, 0.75),
  "half the owner, half a stranger": (stage) => mixed(stage, 0.5),
  "a quarter the owner": (stage) => mixed(stage, 0.25),
  "a stranger": ({ stranger }) => stranger,
  "a stranger with the owner's surface habits": dressed,
  "ten frequent phrases": frequentPhrases,
  "a caricature": caricature,
  "a canned bot": ({ random }) => hundred(() => pick(CANNED, random)),
  "word-shuffled": ({ later, random }) => wordShuffled(later, random),
  "word-shuffled memory": ({ memory, random }) =>
    wordShuffled(shuffled(memory, random).slice(0, MAX_JUDGED_REPLIES), random),
  "Markov, order 1": ({ memory, random }) => markov(memory, 1, random),
  "Markov, order 2": ({ memory, random }) => markov(memory, 2, random),
  "Markov, order 3": ({ memory, random }) => markov(memory, 3, random),
  "Markov of all older, order 1": ({ memory, evidence, random }) => markov([...memory, ...evidence.own], 1, random),
  "Markov of all older, order 2": ({ memory, evidence, random }) => markov([...memory, ...evidence.own], 2, random),
  "glued halves": glued,
  "sentences changing places": sentences,
  "verbatim memory at random": ({ memory, random }) => shuffled(memory, random).slice(0, MAX_JUDGED_REPLIES),
};
