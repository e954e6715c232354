// How well a person's blocks of twenty messages are told from those of people that no verifier has seen, by our verifier and by
// baselines of the field, in one run.
import { deflateRawSync } from "node:zlib";
import { auc } from "#server/answers/fidelity/auc.ts";
import { commonWords, distort, featureSpace, type SparseVector } from "#server/answers/fidelity/features.ts";
import { mean } from "#server/answers/fidelity/typicality.ts";
import { shuffled, trainVerifier } from "#server/answers/fidelity/verifier.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";
import type { Corpus, Speaker } from "../../bench/material/speakers.ts";

const BLOCK = 20;
const BLOCKS_OF_A_PERSON = 10;
const NEGATIVES = 6000;

interface Case {
  /** What is known of the owner, and what other people of the chats say. */
  own: string[];
  background: string[];
  owners: string[][];
  strangers: string[][];
}

/** Scores a block: the higher, the more like the owner. */
type Method = (material: Pick<Case, "own" | "background">, random: () => number) => (block: string[]) => number;

function blocks(texts: readonly string[], random: () => number): string[][] {
  const order = shuffled(texts, random);
  const count = Math.min(BLOCKS_OF_A_PERSON, Math.floor(order.length / BLOCK));
  return Array.from({ length: count }, (_, at) => order.slice(at * BLOCK, (at + 1) * BLOCK));
}

/** The owner's older sessions are known, the newer are asked about; half of the other people are never seen. */
function caseOf(owner: Speaker, { everyone }: Corpus, random: () => number): Case {
  const others = shuffled(
    everyone.filter((one) => one !== owner),
    random,
  );
  const seen = others.slice(0, Math.ceil(others.length / 2));
  return {
    own: owner.texts.slice(0, owner.newest),
    background: shuffled(
      seen.flatMap(({ texts }) => texts),
      random,
    ).slice(0, NEGATIVES),
    owners: blocks(owner.texts.slice(owner.newest), random),
    strangers: others.slice(seen.length).flatMap(({ texts }) => blocks(texts, random).slice(0, 2)),
  };
}

const verifier: Method = ({ own, background }, random) => {
  const space = featureSpace([...own, ...background], { common: commonWords(background) });
  const vectors = (texts: readonly string[]) => texts.map((text) => space.vector(text));
  const { logit } = trainVerifier(vectors(own), vectors(background), random);
  return (block) => mean(vectors(block).map(logit));
};

const tfidfCosine: Method = ({ own, background }) => {
  const space = featureSpace([...own, ...background], { longest: 4 });
  const sum = new Map<number, number>();
  const add = ({ places, values }: SparseVector, to: Map<number, number>) => {
    for (const [at, place] of places.entries()) to.set(place, (to.get(place) ?? 0) + values[at]!);
  };
  for (const text of own) add(space.vector(text), sum);
  const length = (vector: Map<number, number>) => Math.sqrt([...vector.values()].reduce((all, v) => all + v * v, 0));
  const norm = length(sum);
  return (block) => {
    const asked = new Map<number, number>();
    for (const text of block) add(space.vector(text), asked);
    let product = 0;
    for (const [place, value] of asked) product += value * (sum.get(place) ?? 0);
    return product / (norm * length(asked) || 1);
  };
};

/** Bytes that the block adds to the owner's text, against those that it adds to the others'. */
const deflate: Method = ({ own, background }) => {
  const window = (texts: readonly string[]) => Buffer.from(texts.join("\n")).subarray(-28_000);
  const [mine, theirs] = [window(own), window(background)];
  const size = (bytes: Buffer) => deflateRawSync(bytes, { level: 9, windowBits: 15 }).length;
  const [base, otherBase] = [size(mine), size(theirs)];
  return (block) => {
    const bytes = Buffer.from(`\n${block.join("\n")}`);
    const added = size(Buffer.concat([mine, bytes])) - base;
    const otherAdded = size(Buffer.concat([theirs, bytes])) - otherBase;
    return (otherAdded - added) / bytes.length;
  };
};

const WORD = /[\p{L}\p{N}']+|[^\s\p{L}\p{N}]/gu;
const words = (texts: readonly string[]) => [...texts.join("\n").toLowerCase().matchAll(WORD)].map(([word]) => word);

/** Cosine Delta (Smith & Aldridge 2011) over the 300 most frequent words. */
const cosineDelta: Method = ({ own, background }) => {
  const common = [...commonWords(background)];
  const place = new Map(common.map((word, at) => [word, at]));
  const frequencies = (texts: readonly string[]) => {
    const all = words(texts);
    const counts = new Float64Array(common.length);
    for (const word of all) {
      const at = place.get(word);
      if (at !== undefined) counts[at]! += 1 / all.length;
    }
    return counts;
  };
  const samples = Array.from({ length: Math.floor(background.length / BLOCK) }, (_, at) =>
    frequencies(background.slice(at * BLOCK, (at + 1) * BLOCK)),
  );
  const means = common.map((_, at) => mean(samples.map((row) => row[at]!)));
  const deviations = common.map((_, at) => Math.sqrt(mean(samples.map((row) => (row[at]! - means[at]!) ** 2))) || 1);
  const z = (texts: readonly string[]) => frequencies(texts).map((value, at) => (value - means[at]!) / deviations[at]!);
  const owner = z(own);
  return (block) => cosine(owner, z(block));
};

function cosine(a: Float64Array, b: Float64Array): number {
  let [product, left, right] = [0, 0, 0];
  for (const [at, value] of a.entries()) {
    product += value * b[at]!;
    left += value * value;
    right += b[at]! * b[at]!;
  }
  return product / (Math.sqrt(left * right) || 1);
}

/** LambdaG-like (Nini et al. 2024): how much likelier a grammar model of the owner finds the masked words than the others'. */
const lambdaG: Method = ({ own, background }) => {
  const common = commonWords(background);
  const tokens = (text: string) => ["^", ...words([distort(text, common).replace(/[*#]+/g, "x")]), "$"];
  const model = (texts: readonly string[]) => {
    const counts = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
    const add = (order: number, key: string) => counts[order]!.set(key, (counts[order]!.get(key) ?? 0) + 1);
    for (const text of texts) {
      const line = tokens(text);
      for (let at = 0; at < line.length; at++) {
        for (let order = 0; order < 3 && at >= order; order++) add(order, line.slice(at - order, at + 1).join(" "));
      }
    }
    const total = [...counts[0]!.values()].reduce((all, n) => all + n, 0);
    const count = (order: number, key: string) => counts[order]!.get(key) ?? 0;
    return (line: string[], at: number) => {
      const [one, two, three] = [0, 1, 2].map((order) => line.slice(Math.max(0, at - order), at + 1).join(" "));
      const unigram = (count(0, one!) + 0.5) / (total + 0.5 * counts[0]!.size);
      const bigram = (count(1, two!) + 2 * unigram) / (count(0, line[at - 1]!) + 2);
      return (count(2, three!) + 2 * bigram) / (count(1, line.slice(Math.max(0, at - 2), at).join(" ")) + 2);
    };
  };
  const [mine, theirs] = [model(own), model(background.slice(0, Math.max(own.length, 500)))];
  return (block) =>
    mean(
      block.flatMap((text) => {
        const line = tokens(text);
        return line.slice(1).map((_, at) => Math.log(mine(line, at + 1)) - Math.log(theirs(line, at + 1)));
      }),
    );
};

/** Lengths, marks and cases with a linear discriminant (shrunken covariance's diagonal). */
const surface: Method = ({ own, background }) => {
  const features = (texts: readonly string[]) => {
    const share = (test: RegExp) => mean(texts.map((text) => (test.test(text) ? 1 : 0)));
    const all = texts.join("");
    const per = (test: RegExp) => (all.match(test)?.length ?? 0) / Math.max(1, all.length);
    return [
      mean(texts.map((text) => Math.log(1 + text.length))),
      mean(texts.map((text) => text.split(" ").length)),
      share(/^\p{Ll}/u),
      share(/[.]$/),
      share(/[!]/),
      share(/[?]/),
      share(/\.\.|…/),
      share(/[:;]-?[)(DPp]|\)\)/),
      per(/,/g),
      per(/\p{Lu}/gu),
      per(/[\p{P}\p{S}]/gu),
      per(/'/g),
    ];
  };
  const rows = (texts: readonly string[]) =>
    Array.from({ length: Math.floor(texts.length / BLOCK) }, (_, at) =>
      features(texts.slice(at * BLOCK, (at + 1) * BLOCK)),
    );
  const [mine, theirs] = [rows(own), rows(background)];
  const column = (table: number[][], at: number) => table.map((row) => row[at]!);
  const weights = mine[0]!.map((_, at) => {
    const [a, b] = [column(mine, at), column(theirs, at)];
    const spread = (values: number[]) => mean(values.map((value) => (value - mean(values)) ** 2));
    return (mean(a) - mean(b)) / (spread(a) + spread(b) + 1e-6);
  });
  return (block) => features(block).reduce((sum, value, at) => sum + value * weights[at]!, 0);
};

const methods: Record<string, Method> = {
  "surface features, LDA": surface,
  "TF-IDF cosine": tfidfCosine,
  deflate,
  "LambdaG-like": lambdaG,
  "cosine Delta": cosineDelta,
  "this verifier": verifier,
};

/** Mean AUC over owners, for each method. */
export function verification(corpus: Corpus, owners: readonly Speaker[]): Record<string, number> {
  const areas = new Map<string, number[]>(Object.keys(methods).map((name) => [name, []]));
  for (const owner of owners) {
    const material = caseOf(owner, corpus, seededRandom(`case of ${owner.name}`));
    for (const [name, method] of Object.entries(methods)) {
      const score = method(material, seededRandom(`${name} for ${owner.name}`));
      areas.get(name)!.push(auc(material.owners.map(score), material.strangers.map(score)));
    }
  }
  return Object.fromEntries([...areas].map(([name, values]) => [name, mean(values)]));
}
