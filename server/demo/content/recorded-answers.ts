/**
 * Answers that a capable model has written beforehand for the demo's private person. Without a model a twin cannot imitate anybody, so a
 * newcomer would see a likeness of 0 %. These answers are measured on his machine as any others, and the figure names where they are from.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import type { DemoSlug } from "./demo-content.ts";

/** Whose answers they are, as the figure names the model. */
export const RECORDED_MODEL = "«большая модель (ответы записаны заранее)»";

/** The private person of the demo, whose correspondence is long enough to measure. */
export const RECORDED_TWIN: DemoSlug = "private-person";

export const RECORDED_ANSWERS = join(import.meta.dirname, RECORDED_TWIN, "recorded-answers.jsonl");

export const RecordedAnswer = z.object({
  audience: z.enum(["contacts", "strangers"]),
  /** `digestTalk` of the prompt. */
  talk: z.string(),
  /** The model's answer record, as JSON (docs/decisions/040-answer-records.md). */
  completion: z.string(),
});
export type RecordedAnswer = z.infer<typeof RecordedAnswer>;

/** Returns none where nothing is recorded yet. */
export async function loadRecordedAnswers(): Promise<RecordedAnswer[]> {
  if (!existsSync(RECORDED_ANSWERS)) return [];
  const lines = (await readFile(RECORDED_ANSWERS, "utf8")).split("\n").filter((line) => line !== "");
  return lines.map((line) => RecordedAnswer.parse(JSON.parse(line)));
}

const MESSAGE = "Сообщение собеседника:";
const DIGEST_LENGTH = 12;

/** Names a prompt by what both sides have said; rules, samples, sources and the hour do not count. */
export function digestTalk(turns: readonly { role: string; content: string }[]): string {
  const said = turns
    .filter(({ role }) => role !== "system")
    .map(({ role, content }) => `${role}\n${content.split(MESSAGE).at(-1)!.trim()}`);
  return createHash("sha256").update(said.join("\n")).digest("base64url").slice(0, DIGEST_LENGTH);
}

/** An OpenAI-compatible server's whole answer with this completion. */
export const completed = (content: string): Response =>
  Response.json({
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });
