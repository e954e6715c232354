// The yardstick of understanding: knowledge bases of invented owners with questions as customers write them. Documents, chats and
// questions were written by hands that had not seen the engine. Half of the questions, drawn by their id, may be looked at while the
// engine is made; the other half is only counted.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { HistoryTurn } from "#server/knowledge/language/history-turn.ts";
import { seededRandom } from "#server/platform/random/seeded-random.ts";

const BASES = join(import.meta.dirname, "bases");

/** `absent`: the documents do not answer it. */
export const KINDS = [
  "direct",
  "paraphrase",
  "slang",
  "followup",
  "yesno",
  "arithmetic",
  "negation",
  "several",
  "statement",
  "complaint",
  "smalltalk",
  "absent",
] as const;
export type QuestionKind = (typeof KINDS)[number];

export interface Question {
  id: string;
  kind: QuestionKind;
  /** Earlier turns of the conversation, oldest first, without the question. */
  history: HistoryTurn[];
  text: string;
  /** Facts of a right answer, each as a list of accepted spellings. Empty for small talk, complaints and unanswerable questions. */
  facts: string[][];
  /** Texts that make an answer wrong, whatever else it says. */
  never: string[];
}

export interface Base {
  /** Its folder's name. */
  name: string;
  owner: { name: string; about: string; communicationStyle: string };
  documents: { name: string; text: string }[];
  chats: { contact: string; incoming: string; reply: string }[];
  questions: Record<Part, Question[]>;
}

export type Part = "dev" | "test";

interface Line {
  id: string;
  kind: QuestionKind;
  history: { from: "customer" | "twin"; text: string }[];
  question: string;
  facts: string[][];
  never: string[];
}

export function readBases(): Base[] {
  return readdirSync(BASES)
    .sort()
    .map((name) => readBase(name));
}

function readBase(name: string): Base {
  const read = (...path: string[]) => readFileSync(join(BASES, name, ...path), "utf8");
  const lines = read("questions.jsonl").trim().split("\n");
  const questions = lines.map((line) => toQuestion(JSON.parse(line) as Line));
  const half = Map.groupBy(questions, ({ id }) => (seededRandom(`part of ${id}`)() < 0.5 ? "dev" : "test"));
  return {
    name,
    owner: JSON.parse(read("base.json")) as Base["owner"],
    documents: readdirSync(join(BASES, name, "documents"))
      .sort()
      .map((file) => ({ name: file, text: read("documents", file) })),
    chats: JSON.parse(read("chats.json")) as Base["chats"],
    questions: { dev: half.get("dev") ?? [], test: half.get("test") ?? [] },
  };
}

const toQuestion = ({ id, kind, history, question, facts, never }: Line): Question => ({
  id,
  kind,
  history: history.map(({ from, text }) => ({ role: from === "customer" ? "user" : "assistant", content: text })),
  text: question,
  facts,
  never,
});
