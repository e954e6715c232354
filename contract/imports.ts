import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { IdParams } from "./twins.ts";

export const ImportStatus = z.enum(["reading", "preview", "running", "done", "failed", "cancelled"]);
export type ImportStatus = z.infer<typeof ImportStatus>;

export const ImportChat = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(["private", "group", "channel", "saved"]),
  messages: z.number(),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  /** How the talk begins, cut short, of the first thousand chats and until the choice is made. */
  firstLines: z.optional(z.array(z.object({ author: z.string(), text: z.string() }))),
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
  /** The file ends too early or is damaged: what could be read is kept. */
  incomplete: z.boolean(),
  /** When the import is over, only the chosen chats, and of the people only the owner. */
  chats: z.array(ImportChat),
  people: z.array(ImportPerson),
  suggestedOwner: z.nullable(z.string()),
  /** `line`: the line of a text, the number of the message elsewhere; `file` where an export has several. */
  rejected: z.array(z.object({ line: z.number(), reason: z.string(), file: z.optional(z.string()) })),
  rejectedCount: z.number(),
  /** Messages to read (known after the preview), and how many of them are done. */
  total: z.number(),
  processed: z.number(),
  imported: z.number(),
  duplicates: z.number(),
  error: z.optional(z.string()),
  createdAt: z.string(),
});
export type ImportState = z.infer<typeof ImportState>;

/**
 * What a person agrees to before other people's messages are taken in. A changed text gets a new version; the version is what
 * the record of the consent names.
 */
export const importConsent = {
  version: "2025-11-1",
  statement:
    "В\u00a0переписке есть сообщения других людей. Манере двойник учится только на\u00a0ваших репликах; слова собеседников " +
    "хранятся, чтобы понять, на\u00a0что вы отвечали, и\u00a0не\u00a0показываются другим людям. Невыбранные чаты, фото, голосовые и\u00a0вложения " +
    "не\u00a0загружаются в\u00a0память двойника. За\u00a0право использовать переписку отвечаете вы: предупредите собеседников, если это нужно.",
  confirmation: "Я\u00a0вправе использовать эту переписку и\u00a0отвечаю за\u00a0это",
} as const;

export const StartImportInput = z.object({
  ownerId: z.string("Укажите, кто здесь вы").check(z.minLength(1, "Укажите, кто здесь вы"), z.maxLength(300)),
  chatIds: z.optional(
    z.array(z.string().check(z.maxLength(300))).check(z.minLength(1, "Выберите хотя бы один чат"), z.maxLength(10_000)),
  ),
  consent: z.literal(true, "Подтвердите право использовать переписку"),
  /** Of the `importConsent` that the person has read; an older one is refused with 409. Absent: the current one. */
  consentVersion: z.optional(z.string().check(z.maxLength(40))),
});
export type StartImportInput = z.infer<typeof StartImportInput>;

/** The largest export file, bytes. */
export const MAX_EXPORT_BYTES = 2 * 1024 ** 3;
/** Files of one import. */
export const MAX_EXPORT_FILES = 100;

/** A file on its way here; what has arrived stays when the connection breaks. */
export const ExportUpload = z.object({
  id: z.string(),
  fileName: z.string(),
  bytes: z.number(),
  /** How much of it has arrived: the next bytes to send. */
  offset: z.number(),
  /** What it is, once all of it is here. */
  format: z.nullable(z.string()),
});
export type ExportUpload = z.infer<typeof ExportUpload>;

export const ExportUploadInput = z.object({
  digitalTwinId: z.uuid("Выберите цифрового двойника"),
  fileName: z.string("Укажите имя файла").check(z.minLength(1, "Укажите имя файла"), z.maxLength(1000)),
  bytes: z
    .number("Укажите размер файла")
    .check(z.int(), z.gte(1, "Файл пуст"), z.lte(MAX_EXPORT_BYTES, "Файл больше 2 ГБ: выгрузите переписку по частям")),
  /** When the file was changed last, ms: the same file goes on where it stopped. */
  modified: z.optional(z.number().check(z.int())),
});
export type ExportUploadInput = z.infer<typeof ExportUploadInput>;

export const ImportFilesInput = z.object({
  uploadIds: z
    .array(z.uuid("Неверный идентификатор"))
    .check(z.minLength(1, "Выберите файл выгрузки"), z.maxLength(MAX_EXPORT_FILES, "Не больше 100 файлов за раз")),
});

export const importsApi = {
  /** One file at once, whole; `beginUpload` and those after it take several, and go on after a break. */
  upload: endpoint("POST /api/imports", {
    access: "editor",
    beforeConfirmation: true,
    summary: "Загрузить файл выгрузки (multipart: digitalTwinId, file)",
    output: ImportState,
    status: 202,
  }),
  beginUpload: endpoint("POST /api/imports/uploads", {
    access: "editor",
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
    beforeConfirmation: true,
    summary: "Следующие байты файла с места offset (application/octet-stream)",
    params: IdParams,
    query: z.object({ offset: z.coerce.number().check(z.int(), z.gte(0), z.lte(MAX_EXPORT_BYTES)) }),
    output: ExportUpload,
  }),
  dropUpload: endpoint("DELETE /api/imports/uploads/:id", {
    access: "editor",
    summary: "Отказаться от загрузки",
    params: IdParams,
  }),
  fromUploads: endpoint("POST /api/imports/from-uploads", {
    access: "editor",
    beforeConfirmation: true,
    summary: "Прочитать загруженные файлы: по импорту на платформу",
    input: ImportFilesInput,
    output: z.array(ImportState),
    status: 202,
  }),
  /** The latest 50, newest first; their `chats`, `people` and `rejected` are empty: ask for one import to see them. */
  list: endpoint("GET /api/imports", { access: "signed-in", summary: "Импорты", output: z.array(ImportState) }),
  get: endpoint("GET /api/imports/:id", {
    access: "signed-in",
    summary: "Ход импорта",
    params: IdParams,
    output: ImportState,
  }),
  start: endpoint("POST /api/imports/:id/start", {
    access: "editor",
    beforeConfirmation: true,
    summary: "Начать импорт выбранных чатов",
    params: IdParams,
    input: StartImportInput,
    output: ImportState,
  }),
  cancel: endpoint("POST /api/imports/:id/cancel", {
    access: "editor",
    beforeConfirmation: true,
    summary: "Отменить импорт",
    params: IdParams,
    output: ImportState,
  }),
};
