import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { MEDIA_KINDS } from "../media-kinds.ts";
import { KNOWLEDGE } from "../tags.ts";
import { IdParams } from "../twins.ts";

const ImportStatus = z.enum(["reading", "preview", "running", "done", "failed", "cancelled"]);

export const ImportChat = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(["private", "group", "channel", "saved"]),
  messages: z.number(),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  /** The beginning of the conversation. Present for the first thousand chats and only until the user has chosen. */
  firstLines: z.optional(z.array(z.object({ author: z.string(), text: z.string() }))),
  /**
   * Numbers of recordings and pictures of the chat in the archive, of the kinds that the organisation reads. Present until the user has
   * chosen.
   */
  attached: z.optional(z.array(z.object({ kind: z.enum(MEDIA_KINDS), files: z.number(), bytes: z.number() }))),
});
export type ImportChat = z.infer<typeof ImportChat>;

export const ImportPerson = z.object({ id: z.string(), name: z.string(), messages: z.number() });
export type ImportPerson = z.infer<typeof ImportPerson>;

export const ImportState = z.object({
  id: z.string(),
  digitalTwinId: z.string(),
  fileName: z.string(),
  status: ImportStatus,
  format: z.nullable(z.string()),
  /** Whether the file is truncated or damaged; the readable part is kept. */
  incomplete: z.boolean(),
  /** Chats of the export; after the import only the chosen ones. */
  chats: z.array(ImportChat),
  /** People of the export; after the import only the owner. */
  people: z.array(ImportPerson),
  suggestedOwner: z.nullable(z.string()),
  /** `line` is the line number in a text file, otherwise the message number. `file` is set where an export has several files. */
  rejected: z.array(z.object({ line: z.number(), reason: z.string(), file: z.optional(z.string()) })),
  rejectedCount: z.number(),
  total: z.number(),
  processed: z.number(),
  imported: z.number(),
  duplicates: z.number(),
  /** Progress of reading the imported recordings and pictures, which continues after the import. Absent when none were chosen. */
  attached: z.optional(
    z.object({
      total: z.number(),
      read: z.number(),
      /** Among the finished files: `unsure` were read without certainty, `failed` could not be read. */
      unsure: z.number(),
      failed: z.number(),
    }),
  ),
  error: z.optional(z.string()),
  createdAt: z.string(),
});
export type ImportState = z.infer<typeof ImportState>;

/**
 * The text that a user accepts before other people's messages are imported. A changed text must get a new version, because the record
 * of the consent names the version.
 */
export const importConsent = {
  version: "2026-11-1",
  statement:
    "В\u00a0переписке есть сообщения других людей. Манере двойник учится только на\u00a0ваших репликах; слова собеседников " +
    "хранятся, чтобы понять, на\u00a0что вы отвечали, и\u00a0не\u00a0показываются другим людям. Невыбранные чаты и\u00a0вложения " +
    "не\u00a0загружаются в\u00a0память двойника, голосовые и\u00a0картинки\u00a0— только если вы\u00a0отметите это сами. За\u00a0право использовать переписку отвечаете вы: предупредите собеседников, если это нужно.",
  confirmation: "Я\u00a0вправе использовать эту переписку и\u00a0отвечаю за\u00a0это",
} as const;

export const StartImportInput = z.object({
  ownerId: z.string("Укажите, кто здесь вы").check(z.minLength(1, "Укажите, кто здесь вы"), z.maxLength(300)),
  chatIds: z.optional(
    z.array(z.string().check(z.maxLength(300))).check(z.minLength(1, "Выберите хотя бы один чат"), z.maxLength(10_000)),
  ),
  /** Whether to take recordings and pictures of these chats from the archive and read them. */
  attached: z.optional(z.boolean("Укажите, читать ли голосовые и картинки")),
  consent: z.literal(true, "Подтвердите право использовать переписку"),
  /** Version of the `importConsent` text that the user has read; an outdated one is rejected with 409. Absent means the current one. */
  consentVersion: z.optional(z.string().check(z.maxLength(40))),
});
export type StartImportInput = z.infer<typeof StartImportInput>;

export const MAX_EXPORT_BYTES = 2 * 1024 ** 3;
export const MAX_EXPORT_FILES = 100;

/** A resumable upload, which keeps the received bytes when the connection breaks. */
export const ExportUpload = z.object({
  id: z.string(),
  fileName: z.string(),
  bytes: z.number(),
  offset: z.number(),
  format: z.nullable(z.string()),
});
export type ExportUpload = z.infer<typeof ExportUpload>;

export const ExportUploadInput = z.object({
  digitalTwinId: z.uuid("Выберите цифрового двойника"),
  fileName: z.string("Укажите имя файла").check(z.minLength(1, "Укажите имя файла"), z.maxLength(1000)),
  bytes: z
    .number("Укажите размер файла")
    .check(z.int(), z.gte(1, "Файл пуст"), z.lte(MAX_EXPORT_BYTES, "Файл больше 2 ГБ: выгрузите переписку по частям")),
  /** Modification time of the file, ms since 1970; it identifies the file when its upload is resumed. */
  modified: z.optional(z.number().check(z.int())),
});
export type ExportUploadInput = z.infer<typeof ExportUploadInput>;

const ImportFilesInput = z.object({
  uploadIds: z
    .array(z.uuid("Неверный идентификатор"))
    .check(z.minLength(1, "Выберите файл выгрузки"), z.maxLength(MAX_EXPORT_FILES, "Не больше 100 файлов за раз")),
});

export const importsApi = {
  /** Uploads one complete file; `beginUpload` and the following calls take several files and can be resumed. */
  upload: endpoint("POST /api/imports", {
    access: "editor",
    refreshes: ["imports"],
    beforeConfirmation: true,
    summary: "Загрузить файл выгрузки (multipart: digitalTwinId, file)",
    output: ImportState,
    status: 202,
  }),
  beginUpload: endpoint("POST /api/imports/uploads", {
    access: "editor",
    refreshes: "piece",
    beforeConfirmation: true,
    summary: "Начать загрузку файла или продолжить прерванную: тот же двойник, имя, размер и время изменения",
    input: ExportUploadInput,
    output: ExportUpload,
  }),
  readUpload: endpoint("GET /api/imports/uploads/:id", {
    access: "editor",
    summary: "Сколько файла уже загружено",
    params: IdParams,
    output: ExportUpload,
  }),
  appendUpload: endpoint("PATCH /api/imports/uploads/:id", {
    access: "editor",
    refreshes: "piece",
    beforeConfirmation: true,
    summary: "Следующие байты файла с места offset (application/octet-stream)",
    params: IdParams,
    query: z.object({ offset: z.coerce.number().check(z.int(), z.gte(0), z.lte(MAX_EXPORT_BYTES)) }),
    output: ExportUpload,
  }),
  dropUpload: endpoint("DELETE /api/imports/uploads/:id", {
    access: "editor",
    refreshes: "nothing",
    summary: "Отказаться от загрузки",
    params: IdParams,
  }),
  fromUploads: endpoint("POST /api/imports/from-uploads", {
    access: "editor",
    refreshes: ["imports"],
    beforeConfirmation: true,
    summary: "Прочитать загруженные файлы: по импорту на платформу",
    input: ImportFilesInput,
    output: z.array(ImportState),
    status: 202,
  }),
  /** The latest 50 imports, newest first. Their `chats`, `people` and `rejected` are empty; the call for one import returns them. */
  list: endpoint("GET /api/imports", {
    access: "signed-in",
    tags: ["imports"],
    summary: "Импорты",
    output: z.array(ImportState),
  }),
  get: endpoint("GET /api/imports/:id", {
    access: "signed-in",
    tags: ["imports"],
    summary: "Ход импорта",
    params: IdParams,
    output: ImportState,
  }),
  start: endpoint("POST /api/imports/:id/start", {
    access: "editor",
    refreshes: ["imports"],
    beforeConfirmation: true,
    summary: "Начать импорт выбранных чатов",
    params: IdParams,
    input: StartImportInput,
    output: ImportState,
  }),
  cancel: endpoint("POST /api/imports/:id/cancel", {
    access: "editor",
    refreshes: ["imports", ...KNOWLEDGE],
    beforeConfirmation: true,
    summary: "Отменить импорт",
    params: IdParams,
    output: ImportState,
  }),
};
