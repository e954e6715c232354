// The public sets that benchmarks measure on. They are not part of the product: put them into the folder BENCH_DATA
// (default: bench/data). XQuAD (Artetxe et al. 2020, CC BY-SA 4.0): xquad.en.json and xquad.ru.dev.json, the latter
// the first 24 of its 48 articles. RusDraCor (CC0): rusdracor.dev.jsonl.gz.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";

/** The folder of the sets, whether or not they are there. */
export const PUBLIC_SETS = resolve(process.env.BENCH_DATA ?? join(import.meta.dirname, "../data"));

export type Language = "ru" | "en";

export interface Paragraph {
  article: number;
  text: string;
  questions: { text: string; answer: string; answerStart: number }[];
}

/** Whether every set is there. */
export const hasPublicData = (): boolean =>
  ["xquad.en.json", "xquad.ru.dev.json", "rusdracor.dev.jsonl.gz"].every((name) => existsSync(join(PUBLIC_SETS, name)));

/** Ends the run, in peace, where the chats and plays of real people are absent. */
export function requirePublicTalks(): void {
  if (hasPublicData() && existsSync(join(PUBLIC_SETS, "irc.dev.jsonl.gz"))) return;
  console.error(`No public sets in ${PUBLIC_SETS}: nothing to measure. Set BENCH_DATA to the folder with them.`);
  process.exit(0);
}

function locate(name: string): string {
  const path = join(PUBLIC_SETS, name);
  if (!existsSync(path)) {
    console.error(`${path} is absent: nothing to measure. Set BENCH_DATA to the folder with the public sets.`);
    process.exit(0);
  }
  return path;
}

interface SquadFile {
  data: {
    paragraphs: { context: string; qas: { question: string; answers: { answer_start: number; text: string }[] }[] }[];
  }[];
}

/** The paragraphs of XQuAD in order. */
export function readXquad(language: Language): Paragraph[] {
  const file = locate(language === "ru" ? "xquad.ru.dev.json" : "xquad.en.json");
  const { data } = JSON.parse(readFileSync(file, "utf8")) as SquadFile;
  return data.flatMap(({ paragraphs }, article) =>
    paragraphs.map(({ context, qas }) => ({
      article,
      text: context,
      questions: qas.map(({ question, answers }) => ({
        text: question,
        answer: answers[0]!.text,
        answerStart: answers[0]!.answer_start,
      })),
    })),
  );
}

/** The lines of Russian plays with their speakers: `play#name_surname`. */
export function readPlays(): { speaker: string; text: string }[] {
  const lines = gunzipSync(readFileSync(locate("rusdracor.dev.jsonl.gz")))
    .toString()
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line) as { speaker: string; text: string });
}

/** Lines of Russian plays cut into messages of eight words; beyond the set's length, halves of them joined anew. */
export function readMessages(count: number): string[] {
  const words = readPlays().flatMap(({ text }) => text.split(/\s+/).filter(Boolean));
  const halves: string[] = [];
  for (let at = 0; at + 4 <= words.length; at += 4) halves.push(words.slice(at, at + 4).join(" "));
  const own = halves.length / 2;
  return Array.from({ length: count }, (_, n) => {
    if (n < own) return `${halves[2 * n]} ${halves[2 * n + 1]}`;
    return `${halves[(n * 7919) % halves.length]} ${halves[(n * 104_729 + 13) % halves.length]}`;
  });
}
