import type { ErrorCode } from "#contract/error-codes.ts";

export type AdapterProblem =
  | "not-gguf"
  | "whole-model"
  | "another-addition"
  | "another-architecture"
  | "another-size"
  | "another-base"
  | "damaged";

const SENTENCES: Record<AdapterProblem, (base: string) => string> = {
  "not-gguf": () =>
    "Это не файл GGUF. Нужен файл, который скрипт обучения записал последним: его имя кончается на .gguf, а не на .safetensors или .zip",
  "whole-model": () =>
    "Это целая модель, а здесь нужен только почерк — небольшой файл, который сделал скрипт обучения. Целую модель добавляют на экране «Модель»",
  "another-addition": () => "Это дополнение к модели другого вида. Нужен почерк, обученный по способу LoRA",
  "another-architecture": (base) =>
    `Этот почерк обучен для модели другого семейства. Здесь отвечает «${base}»: обучите почерк на ней`,
  "another-size": (base) =>
    `Этот почерк обучен для модели другого размера. Здесь отвечает «${base}»: обучите почерк на ней`,
  "another-base": (base) =>
    `Этот почерк обучен на другой модели, хотя она и того же размера. Здесь отвечает «${base}»: обучите почерк на ней`,
  damaged: () => "Файл повреждён или передан не до конца. Возьмите его из папки обучения ещё раз",
};

/** @param base name of the chat model that answers */
export const adapterSentence = (problem: AdapterProblem, base: string): string =>
  `${SENTENCES[problem](base)}. Файл не сохранён`.replace("..", ".");

export const ADAPTER_ERRORS: Record<AdapterProblem, ErrorCode> = {
  "not-gguf": "voice_not_gguf",
  "whole-model": "voice_whole_model",
  "another-addition": "voice_another_addition",
  "another-architecture": "voice_another_architecture",
  "another-size": "voice_another_size",
  "another-base": "voice_another_base",
  damaged: "voice_damaged",
};
