import type { ErrorCode } from "#contract/error-codes.ts";

export type HubProblem =
  | "unreachable"
  | "refused"
  | "not-found"
  | "no-checksum"
  | "elsewhere"
  | "odd"
  | "line"
  | "changed"
  | "damaged"
  | "no-space"
  | "too-big";

export type FileProblem = "not-a-model" | "not-speech" | "not-served" | "another-kind" | "no-memory";
export type ModelProblem = HubProblem | FileProblem | "broken-off";

export const FILE_ERRORS: Record<FileProblem, ErrorCode> = {
  "not-a-model": "not_a_model",
  "not-speech": "not_a_model",
  "not-served": "not_served",
  "another-kind": "another_kind",
  "no-memory": "no_memory",
};

/** A mirror, a proxy and allowed hosts are server settings; the screen explains them below its catalogue. */
const HUB_SENTENCES: Record<HubProblem, string> = {
  unreachable:
    "Сайт с моделями не отвечает. Проверьте интернет и продолжите; если сайт у вас закрыт, скачивайте с зеркала",
  refused: "Сайт с моделями отказал в скачивании. Продолжите позже или скачивайте с зеркала",
  "not-found": "На сайте с моделями нет файла этой модели. Попробуйте другое зеркало или загрузите файл сами",
  "no-checksum":
    "Сайт с моделями не назвал контрольную сумму файла, поэтому проверить его нельзя. Попробуйте другое зеркало",
  elsewhere:
    "Сайт с моделями отправляет за файлом на незнакомый сервер. Скачивание остановлено: попробуйте другое зеркало",
  odd: "Вместо списка файлов пришло что-то другое: по этому адресу не сайт с моделями. Проверьте адрес зеркала",
  line: "Связь с сайтом моделей обрывается. Скачанное сохранено: продолжите, когда связь наладится",
  changed: "Файл на сайте сменился, пока скачивался. Скачайте его снова",
  damaged: "Файл дважды пришёл повреждённым: контрольная сумма не сходится. Он удалён, попробуйте другое зеркало",
  "no-space": "На диске сервера не хватает места для модели, скачанное удалено. Освободите место и скачайте её снова",
  "too-big": "Файл на сайте намного больше, чем указано в каталоге. Скачивание остановлено",
};

const SENTENCES: Record<ModelProblem, string> = {
  ...HUB_SENTENCES,
  "not-a-model": "Это не модель в формате GGUF или файл повреждён. Он удалён, выберите другой",
  "not-speech": "Скачанные файлы повреждены: это не модель распознавания речи. Они удалены, скачайте модель снова",
  "not-served":
    "Модели такого вида здесь не запускаются: нужна модель, которая пишет тексты или ищет по смыслу. Файл удалён",
  "another-kind": "Скачанный файл оказался моделью другого назначения. Он удалён",
  "no-memory": "Этой модели не хватит памяти на этом сервере. Файл удалён, выберите модель поменьше",
  "broken-off": "Файл не дописался на диск сервера. Начните заново",
};

export const sentenceOf = (problem: string | null): string | null =>
  problem === null ? null : (SENTENCES[problem as ModelProblem] ?? "Не удалось. Удалите модель и попробуйте ещё раз");
