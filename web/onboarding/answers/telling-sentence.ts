/** Letters at the beginning of a word that identify it, because endings differ. */
const STEM = 5;

const stemsOf = (text: string): Set<string> =>
  new Set((text.toLocaleLowerCase("ru").match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, STEM)));

/** Returns the sentence of a source that shares most words with an answer (the first of equals), which a reader looks for. */
export function tellingSentence(source: string, answer: string): string {
  const said = stemsOf(answer);
  const shared = (sentence: string) => [...stemsOf(sentence)].filter((stem) => said.has(stem)).length;
  const sentences = source.split(/(?<=[.!?])\s|\n/).map((sentence) => sentence.trim());
  return sentences.reduce((best, sentence) => (shared(sentence) > shared(best) ? sentence : best), sentences[0] ?? "");
}
