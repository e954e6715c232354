// What the measure of likeness says of "twins" that are no twins: copies, phrases, a caricature, gibberish, strangers.
import { JUDGED, type Judge, trainJudge } from "#server/fidelity/fidelity.ts";
import { mean } from "#server/fidelity/typicality.ts";
import { shuffled } from "#server/fidelity/verifier.ts";
import { seededRandom } from "#server/seeded-random.ts";
import type { Corpus, Speaker } from "./speakers.ts";

const PEOPLE = 40;

interface Stage {
  judge: Judge;
  /** What the twin under test remembers of its owner. */
  memory: string[];
  /** Of the owner, from the newest sessions, not among the true replies. */
  later: string[];
  /** Somebody who is not among the owner's people. */
  stranger: string[];
  random: () => number;
}

/** Older sessions are halved into memory and verification, the newest into true replies and further ones of the owner's own. */
function stageOf(owner: Speaker, { everyone }: Corpus): Stage {
  const random = seededRandom(`stage of ${owner.name}`);
  const others = shuffled(
    everyone.filter((one) => one !== owner),
    random,
  );
  const stranger = others.find(({ texts }) => texts.length >= JUDGED)!;
  const people = others.filter((one) => one !== stranger).slice(0, PEOPLE);
  const older = owner.texts.slice(0, owner.newest);
  const half = Math.floor(older.length / 2);
  const newest = shuffled(owner.texts.slice(owner.newest), random).slice(0, 2 * JUDGED);
  const evidence = {
    memory: older.slice(0, half),
    own: older.slice(half),
    people: new Map(people.map(({ name, texts }) => [name, texts])),
    held: newest.slice(0, Math.ceil(newest.length / 2)),
  };
  return {
    judge: trainJudge(evidence, random),
    memory: evidence.memory,
    later: newest.slice(evidence.held.length),
    stranger: shuffled(stranger.texts, random).slice(0, JUDGED),
    random,
  };
}

const pick = <T>(items: readonly T[], random: () => number): T => items[Math.floor(random() * items.length)]!;
const hundred = (make: () => string) => Array.from({ length: JUDGED }, make);
const wordsOf = (text: string) => text.split(" ");

/** The stranger's words with the owner's case, final stop and smileys. */
function dressed({ stranger, memory, random }: Stage): string[] {
  const share = (test: (text: string) => boolean) => memory.filter(test).length / memory.length;
  const lower = share((text) => /^\p{Ll}/u.test(text));
  const stop = share((text) => text.endsWith("."));
  const marks = memory.flatMap((text) => text.match(/[)(]{1,5}$|[:;]-?[)(DP]|!+$|\.{2,}$|…$/gu) ?? []);
  return stranger.map((text) => {
    const bare = text.replace(/[.!)…]+$/u, "");
    const start = random() < lower ? bare[0]!.toLowerCase() : (bare[0] ?? "").toUpperCase();
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

function markov({ memory, random }: Stage, order: number): string[] {
  const next = new Map<string, string[]>();
  for (const text of memory) {
    const line = [...Array<string>(order).fill("^"), ...wordsOf(text), "$"];
    for (let at = order; at < line.length; at++) {
      const key = line.slice(at - order, at).join(" ");
      next.set(key, [...(next.get(key) ?? []), line[at]!]);
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

const CANNED = [
  "Спасибо за ваше сообщение! Чем я могу вам помочь?",
  "Здравствуйте! Я с радостью отвечу на ваш вопрос.",
  "Пожалуйста, уточните ваш запрос.",
  "Thank you for your message! How can I help you today?",
  "I am happy to assist you with your question.",
  "Could you please provide more details?",
];

const twins: Record<string, (stage: Stage) => string[]> = {
  "the owner, held out": ({ later }) => later,
  "a stranger": ({ stranger }) => stranger,
  "a stranger with the owner's surface habits": dressed,
  "ten frequent phrases": frequentPhrases,
  "a caricature": caricature,
  "a canned bot": ({ random }) => hundred(() => pick(CANNED, random)),
  "word-shuffled": ({ later, random }) => later.map((text) => shuffled(wordsOf(text), random).join(" ")),
  "Markov, order 1": (stage) => markov(stage, 1),
  "Markov, order 2": (stage) => markov(stage, 2),
  "verbatim memory at random": ({ memory, random }) => shuffled(memory, random).slice(0, JUDGED),
};

export interface Attack {
  value: number;
  verified: number;
  indistinguishable: number;
}

/** Mean likeness over owners, for each "twin"; with the judges' own ceiling and floor. */
export function attacks(corpus: Corpus, owners: readonly Speaker[]): Record<string, Attack> {
  const found = new Map<string, Attack[]>();
  const note = (name: string, { value, verified, indistinguishable }: Attack) =>
    found.set(name, [...(found.get(name) ?? []), { value, verified, indistinguishable }]);
  for (const owner of owners) {
    const stage = stageOf(owner, corpus);
    for (const [name, replies] of Object.entries(twins)) note(name, stage.judge.judge(replies(stage)));
    note("(ceiling)", stage.judge.ceiling());
    note("(floor)", stage.judge.floor());
  }
  const average = (all: Attack[], field: keyof Attack) => Number(mean(all.map((one) => one[field])).toFixed(3));
  return Object.fromEntries(
    [...found].map(([name, all]) => [
      name,
      {
        value: average(all, "value"),
        verified: average(all, "verified"),
        indistinguishable: average(all, "indistinguishable"),
      },
    ]),
  );
}
