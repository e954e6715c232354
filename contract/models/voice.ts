/** Voice adapters («Обучить почерк») of a twin for a local model: training data, versions and the fidelity of each version. */
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { IdParams } from "../twins.ts";

const MAX_VOICE_BYTES = 512 * 1024 ** 2;
export const MAX_VOICES = 5;
/** Minimum number of exchanges for training; with fewer a voice adapter learns nothing about its owner. */
export const MIN_EXCHANGES = 100;

const share = () => z.number().check(z.minimum(0), z.maximum(1));
const count = () => z.number().check(z.minimum(0));

/** Measured fidelity; `value` is null when there is too little data. */
export const VoiceFigure = z.object({
  measuredAt: z.string(),
  value: z.nullable(share()),
  low: z.nullable(share()),
  high: z.nullable(share()),
});
export type VoiceFigure = z.infer<typeof VoiceFigure>;

/** State of fidelity measurements: the newest figure, whether one is running, and when the last one was abandoned. */
const Measured = z.object({
  figure: z.nullable(VoiceFigure),
  measuring: z.boolean(),
  failedAt: z.nullable(z.string()),
});

export const Voice = z.object({
  id: z.string(),
  version: count(),
  fileName: z.string(),
  bytes: count(),
  rank: count(),
  /** SHA-256 of the uploaded file, hexadecimal. */
  sha256: z.string(),
  createdAt: z.string(),
  baseName: z.string(),
  fits: z.boolean(),
  /** Whether the adapter fits although the model's file has changed since: another quantisation or a related model. */
  otherFile: z.boolean(),
  active: z.boolean(),
  failedAt: z.nullable(z.string()),
  /** When messages that the adapter may have learnt from were deleted, which switches it off permanently. */
  forgottenAt: z.nullable(z.string()),
  after: Measured,
});
export type Voice = z.infer<typeof Voice>;

export const VoiceUpload = z.object({ id: z.string(), fileName: z.string(), bytes: count(), offset: count() });
export type VoiceUpload = z.infer<typeof VoiceUpload>;

export const TwinVoice = z.object({
  exchanges: count(),
  least: count(),
  /** The model that answers for the twin: one of this server, a remote one, or none. */
  model: z.enum(["local", "remote", "none"]),
  baseName: z.nullable(z.string()),
  voices: z.array(Voice),
  upload: z.nullable(VoiceUpload),
  /** Fidelity of the twin with this model and without a voice adapter. */
  before: Measured,
});
export type TwinVoice = z.infer<typeof TwinVoice>;

export const VoiceFileInput = z.object({
  fileName: z
    .string("Укажите файл")
    .check(z.trim(), z.minLength(1, "Укажите файл"), z.maxLength(200, "Слишком длинное имя файла")),
  bytes: z
    .int("Неверный размер файла")
    .check(
      z.gte(24, "Файл пуст"),
      z.lte(MAX_VOICE_BYTES, "Файл больше 512 МБ: почерк столько не занимает. Возьмите файл из папки обучения"),
    ),
  /** Modification time of the file, ms since 1970; it distinguishes files with the same name. */
  modified: z.optional(z.int().check(z.gte(0), z.lte(8.64e15))),
});

/** A completed upload becomes a voice adapter and is no longer listed as an upload. */
const VoiceFileState = z.object({ upload: z.nullable(VoiceUpload), voiceId: z.nullable(z.string()) });

const VoiceParams = z.extend(IdParams, { voiceId: z.uuid("Почерк не найден") });
const FileParams = z.extend(IdParams, { fileId: z.uuid("Загрузка не найдена") });

export const voiceApi = {
  get: endpoint("GET /api/digital-twins/:id/voice", {
    access: "signed-in",
    tags: ["twins", "voice"],
    summary: "Почерк двойника: данные для обучения, версии и что каждая даёт",
    params: IdParams,
    output: TwinVoice,
  }),
  data: endpoint("GET /api/digital-twins/:id/voice/data", {
    access: "signed-in",
    summary: "Скачать обмены репликами для обучения (application/zip), без имён и личных данных",
    params: IdParams,
  }),
  beginFile: endpoint("POST /api/digital-twins/:id/voice/files", {
    access: "editor",
    refreshes: "piece",
    summary: "Начать загрузку файла почерка или продолжить прерванную: те же имя, размер и время",
    params: IdParams,
    input: VoiceFileInput,
    output: VoiceUpload,
    status: 201,
  }),
  appendFile: endpoint("PATCH /api/digital-twins/:id/voice/files/:fileId", {
    access: "editor",
    refreshes: "piece",
    summary: "Следующие байты файла почерка с места offset (application/octet-stream)",
    params: FileParams,
    query: z.object({ offset: z.coerce.number().check(z.int(), z.gte(0), z.lte(MAX_VOICE_BYTES)) }),
    output: VoiceFileState,
  }),
  removeFile: endpoint("DELETE /api/digital-twins/:id/voice/files/:fileId", {
    access: "editor",
    refreshes: "nothing",
    summary: "Отменить загрузку файла почерка",
    params: FileParams,
  }),
  change: endpoint("PUT /api/digital-twins/:id/voice/:voiceId", {
    access: "editor",
    refreshes: ["voice"],
    summary: "Включить или выключить почерк",
    params: VoiceParams,
    input: z.object({ active: z.boolean("Ожидалось true или false") }),
    output: TwinVoice,
  }),
  remove: endpoint("DELETE /api/digital-twins/:id/voice/:voiceId", {
    access: "editor",
    refreshes: ["voice"],
    summary: "Удалить версию почерка вместе с файлом",
    params: VoiceParams,
  }),
  measure: endpoint("POST /api/digital-twins/:id/voice/measure", {
    access: "editor",
    refreshes: ["voice"],
    summary: "Измерить похожесть с этим почерком (voiceId) или без почерка (none)",
    params: IdParams,
    input: z.object({ voiceId: z.union([z.literal("none"), z.uuid()], "Почерк не найден") }),
    output: z.object({ queued: z.literal(true) }),
    status: 202,
  }),
};
