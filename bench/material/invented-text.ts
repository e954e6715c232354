/** Seeded text that behaves like chats and documents: a Zipf vocabulary of Russian-looking words, recurring questions. */

/** Mulberry32: small, fast, good enough for test data. Returns numbers in [0, 1). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const STARTS = "до за по пере при раз от вы на об под рас с у вс из".split(" ");
const ROOTS =
  "став товар вод стол крас мор дом сад книг чай кош соб рек лес гор свет звук мост цен план год час ден сил".split(
    " ",
  );
const ENDS = "ка ник ние тель ость ение ный ная ное ать ить овал ется ем ого ами ах ий".split(" ");
const ENGLISH = "deploy server update please check today order invoice meeting thanks issue ready sent call".split(" ");

/** `size` distinct words; the first are the most frequent in what `inventedText` writes. */
export function vocabulary(size: number, random: () => number): string[] {
  const words = new Set<string>();
  const pick = (list: string[]) => list[Math.floor(random() * list.length)]!;
  while (words.size < size) {
    words.add(random() < 0.08 ? pick(ENGLISH) + pick(ENGLISH) : pick(STARTS) + pick(ROOTS) + pick(ROOTS) + pick(ENDS));
  }
  return [...words];
}

/** `count` words with frequencies that fall like 1/rank. */
export function inventedText(words: string[], count: number, random: () => number): string {
  const text: string[] = [];
  for (let i = 0; i < count; i++) text.push(words[Math.floor(words.length ** random()) - 1] ?? words[0]!);
  return text.join(" ");
}
