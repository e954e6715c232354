/** Why a model is not ready, as its row keeps it and as people read it. */
import type { ErrorCode } from "#contract/error-codes.ts";
import { HUB_SENTENCES, type HubProblem } from "../download/hub-failures.ts";

/** What is wrong with a file that is whole. */
export type FileProblem = "not-a-model" | "not-served" | "another-kind" | "no-memory";
export type ModelProblem = HubProblem | FileProblem | "broken-off";

/** As a program reads it whose upload is refused. */
export const FILE_ERRORS: Record<FileProblem, ErrorCode> = {
  "not-a-model": "not_a_model",
  "not-served": "not_served",
  "another-kind": "another_kind",
  "no-memory": "no_memory",
};

const SENTENCES: Record<ModelProblem, string> = {
  ...HUB_SENTENCES,
  "not-a-model": "Это не модель в формате GGUF или файл повреждён. Он удалён, выберите другой",
  "not-served":
    "Модели такого вида здесь не запускаются: нужна модель, которая пишет тексты или ищет по смыслу. Файл удалён",
  "another-kind": "Скачанный файл оказался моделью другого назначения. Он удалён",
  "no-memory": "Этой модели не хватит памяти на этом сервере. Файл удалён, выберите модель поменьше",
  "broken-off": "Файл не дописался на диск сервера. Начните заново",
};

export const sentenceOf = (problem: string | null): string | null =>
  problem === null ? null : (SENTENCES[problem as ModelProblem] ?? "Не удалось. Удалите модель и попробуйте ещё раз");
