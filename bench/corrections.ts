// Whether a correction holds when its question comes in other words, and keeps from near questions that ask another thing.
//   npm run bench:corrections -- [--set dev|test] [--embeddings FILE.gguf|URL#NAME]
// The corrected questions are those of bench:answers that may be looked at, written by other hands; each has two rewordings and two near
// questions, and every other question of its base is a far one. Of corrections/held-out.json, written before anything was chosen by it, every
// second line is only counted (`test`); the rest of it and corrections/rewordings.json may be looked at (`dev`).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { encodeVector } from "#server/knowledge/embeddings/codes.ts";
import { questionForm } from "#server/knowledge/question-similarity/question-form.ts";
import {
  likelihoodByEmbedding,
  matchQuestion,
  SAME_MEANING_LIKELIHOOD,
} from "#server/knowledge/question-similarity/question-match.ts";
import { createLog } from "#server/platform/log.ts";
import { openEmbeddings } from "./answers/embeddings.ts";
import { readBases } from "./answers/questions.ts";

interface Line {
  asked: string;
  same: string[];
  near: string[];
}

const { values } = parseArgs({
  options: { embeddings: { type: "string" }, show: { type: "boolean" }, set: { type: "string", default: "dev" } },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const queryEmbedder =
  values.embeddings === undefined ? null : await openEmbeddings(values.embeddings, createLog("silent"));
const read = (file: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, "corrections", file), "utf8")) as Line[];
const isHeldOut = (at: number) => at % 2 === 1;
const heldOut = read("held-out.json");
// Every second line of the later set may be looked at; the others are only counted.
const lines =
  values.set === "test"
    ? heldOut.filter((_, at) => isHeldOut(at))
    : [...read("rewordings.json"), ...heldOut.filter((_, at) => !isHeldOut(at))];
const bases = readBases();
const THRESHOLDS = [0.5, 0.8, 0.92, 0.98, 0.99, 0.995, 0.998, 0.999];

interface Pair {
  kind: "same" | "near" | "far" | "confirmed";
  /** The corrected question, and rewordings that the owner has confirmed. */
  wordings: string[];
  asked: string;
  meant: number[];
}

async function meantBy(wording: string, asked: string): Promise<number> {
  const [one, other] = [await queryEmbedder?.of(wording), await queryEmbedder?.of(asked)];
  if (!one || !other) return 0;
  return likelihoodByEmbedding(other, encodeVector(one.vector).codes);
}

async function pairOf(kind: Pair["kind"], wordings: string[], asked: string): Promise<Pair> {
  const meant = await Promise.all(wordings.map((wording) => meantBy(wording, asked)));
  return { kind, wordings, asked, meant };
}

const pairs: Pair[] = [];
for (const { asked, same, near } of lines) {
  const base = bases.find(({ questions }) => questions.dev.some(({ id }) => id === asked))!;
  const corrected = base.questions.dev.find(({ id }) => id === asked)!.text;
  for (const text of same) pairs.push(await pairOf("same", [corrected], text));
  for (const [at, text] of same.entries())
    pairs.push(await pairOf("confirmed", [corrected, ...same.filter((_, other) => other !== at)], text));
  for (const text of near) pairs.push(await pairOf("near", [corrected], text));
  for (const other of base.questions.dev)
    if (other.id !== asked && other.history.length === 0) pairs.push(await pairOf("far", [corrected], other.text));
}
const holds = ({ wordings, asked, meant }: Pair, threshold: number) =>
  matchQuestion(questionForm(asked), wordings.map(questionForm), meant, threshold).same;
const counted = (kind: Pair["kind"], threshold: number) => {
  const these = pairs.filter((pair) => pair.kind === kind);
  const held = these.filter((pair) => holds(pair, threshold)).length;
  return `${held} of ${these.length} (${((100 * held) / these.length).toFixed(1)} %)`;
};
say(
  "| from likelihood | rewordings that hold | … with another confirmed | near questions taken for it | far ones |\n| --- | --: | --: | --: | --: |",
);
for (const threshold of queryEmbedder === null ? [SAME_MEANING_LIKELIHOOD] : THRESHOLDS) {
  const name =
    queryEmbedder === null ? "words alone" : `${threshold}${threshold === SAME_MEANING_LIKELIHOOD ? " (in use)" : ""}`;
  say(
    `| ${name} | ${counted("same", threshold)} | ${counted("confirmed", threshold)} | ${counted("near", threshold)} | ${counted("far", threshold)} |`,
  );
}
if (values.show && values.set !== "test")
  for (const pair of pairs)
    if (holds(pair, SAME_MEANING_LIKELIHOOD) !== (pair.kind === "same"))
      if (pair.kind !== "far" || holds(pair, SAME_MEANING_LIKELIHOOD))
        say(`${pair.kind} ${Math.max(...pair.meant).toFixed(3)} «${pair.wordings[0]}» «${pair.asked}»`);
process.exit(0);
