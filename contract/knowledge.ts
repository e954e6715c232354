import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { searchText } from "./search-text.ts";
import { IdParams } from "./twins.ts";

export const DocumentType = z.enum(
  ["faq", "product", "sales", "support", "training", "policy", "conversation"],
  "Выберите тип документа",
);
export type DocumentType = z.infer<typeof DocumentType>;

export const ConversationPlatform = z.enum(["telegram", "whatsapp", "email", "phone", "chat"], "Выберите платформу");
export type ConversationPlatform = z.infer<typeof ConversationPlatform>;

/** Characters of one document; a longer text is refused, not cut. */
export const MAX_DOCUMENT_CHARS = 500_000;

const TwinId = z.uuid("Выберите цифрового двойника");
/** At least so many characters, white space at both ends not counted; the text itself stays as it was written. */
const written = (min: number, message: string) => z.refine<string>((text) => text.trim().length >= min, message);
const DOCUMENT_SHORT = "Содержимое должно быть минимум 50 символов";
const HISTORY_SHORT = "История переписки должна содержать минимум 100 символов";
const Tag = z.string().check(z.trim(), z.maxLength(100, "Слишком длинный тег"));

/** The document form and the JSON upload; `status` may be sent (always 'processed') and is not believed. */
export const DocumentInput = z.object({
  digitalTwinId: TwinId,
  name: z
    .string("Название документа обязательно")
    .check(z.trim(), z.minLength(1, "Название документа обязательно"), z.maxLength(300, "Слишком длинное название")),
  content: z
    .string(DOCUMENT_SHORT)
    .check(
      z.minLength(50, DOCUMENT_SHORT),
      written(50, DOCUMENT_SHORT),
      z.maxLength(MAX_DOCUMENT_CHARS, "Документ длиннее 500 000 символов: разделите его на части"),
    ),
  type: DocumentType,
  tags: z.optional(z.array(Tag).check(z.maxLength(50, "Не больше 50 тегов"))),
});
export type DocumentInput = z.infer<typeof DocumentInput>;

/** The fields beside the files of a multipart upload; `tags` are comma separated there. */
export const DocumentUploadFields = z.object({
  digitalTwinId: TwinId,
  type: DocumentType,
  tags: z.optional(z.string().check(z.maxLength(2000))),
});
export type DocumentUploadFields = z.infer<typeof DocumentUploadFields>;

export const KnowledgeDocument = z.object({
  id: z.string(),
  name: z.string(),
  type: DocumentType,
  status: z.string(),
  digitalTwinId: z.string(),
  content: z.string(),
  tags: z.array(z.string()),
  /** Characters of the whole text; a list carries only its beginning in `content`. */
  length: z.number(),
  createdAt: z.string(),
});
export type KnowledgeDocument = z.infer<typeof KnowledgeDocument>;

/** Limits of a multipart upload. */
export const MAX_UPLOAD_FILES = 20;
export const MAX_UPLOAD_BYTES = 50 * 1024 * 1024;

/** A file of an upload of several that could not be taken; `error` is a Russian sentence. The others are kept. */
export const FailedDocument = z.object({ name: z.string(), status: z.literal("failed"), error: z.string() });
export type FailedDocument = z.infer<typeof FailedDocument>;

/**
 * One document for the JSON form and for one file, else one entry per file in their order. A failed entry is told by its
 * `error`. When no file could be taken, the answer is 422 with a sentence per file in `fields` (for a single file: its own error).
 */
export const UploadedDocuments = z.union([KnowledgeDocument, z.array(z.union([FailedDocument, KnowledgeDocument]))]);
export type UploadedDocuments = z.infer<typeof UploadedDocuments>;

/** POST /api/conversations/upload: a pasted dialogue, classified on the client by the specification's rule. */
export const DialogueUpload = z.object({
  digitalTwinId: TwinId,
  platform: ConversationPlatform,
  messages: z
    .array(
      z.object({
        content: z
          .string()
          .check(
            z.minLength(1, "Пустая реплика"),
            written(1, "Пустая реплика"),
            z.maxLength(20_000, "Слишком длинная реплика"),
          ),
        role: z.enum(["user", "assistant"]),
        timestamp: z.optional(z.iso.datetime({ offset: true, error: "Неверное время реплики" })),
      }),
    )
    .check(
      z.minLength(1, "В переписке нет сообщений"),
      z.maxLength(5000, "Больше 5 000 строк: загрузите файл выгрузки"),
    ),
  participants: z
    .array(z.string().check(z.trim(), z.minLength(1, "Имя участника обязательно"), z.maxLength(200)))
    .check(z.minLength(1, "Имя участника обязательно"), z.maxLength(50)),
});
export type DialogueUpload = z.infer<typeof DialogueUpload>;

/** The dialogue form as the screen holds it. */
export const DialogueForm = z.object({
  digitalTwinId: TwinId,
  platform: ConversationPlatform,
  participantName: z
    .string("Имя участника обязательно")
    .check(z.trim(), z.minLength(1, "Имя участника обязательно"), z.maxLength(200, "Слишком длинное имя")),
  chatHistory: z.string(HISTORY_SHORT).check(z.minLength(100, HISTORY_SHORT), written(100, HISTORY_SHORT)),
});
export type DialogueForm = z.infer<typeof DialogueForm>;

/** `imported` new messages, `duplicates` were known already; of all these `fromOwner` are the owner's. */
export const DialogueUploaded = z.object({
  imported: z.number(),
  fromOwner: z.number(),
  duplicates: z.number(),
  sourceId: z.string(),
});
export type DialogueUploaded = z.infer<typeof DialogueUploaded>;

export const SearchHit = z.object({
  kind: z.enum(["document", "message"]),
  text: z.string(),
  name: z.string(),
  score: z.number(),
  /** Of a document: where `text` stands word for word. */
  documentId: z.optional(z.string()),
  /** It shares no word with the query: only its meaning is near. */
  byMeaning: z.optional(z.boolean()),
});
export type SearchHit = z.infer<typeof SearchHit>;

export const knowledgeApi = {
  documents: endpoint("GET /api/knowledge/documents", {
    access: "signed-in",
    summary: "Загруженные документы",
    output: z.array(KnowledgeDocument),
  }),
  document: endpoint("GET /api/knowledge/documents/:id", {
    access: "signed-in",
    summary: "Документ целиком",
    params: IdParams,
    output: KnowledgeDocument,
  }),
  upload: endpoint("POST /api/knowledge/upload", {
    access: "editor",
    beforeConfirmation: true,
    summary: "Загрузить документ (JSON) или файлы (multipart)",
    input: DocumentInput,
    output: UploadedDocuments,
    status: 201,
  }),
  removeDocument: endpoint("DELETE /api/knowledge/documents/:id", {
    access: "editor",
    summary: "Удалить документ и всё, что из него взято",
    params: IdParams,
  }),
  uploadDialogue: endpoint("POST /api/conversations/upload", {
    access: "editor",
    beforeConfirmation: true,
    summary: "Загрузить пример диалога",
    input: DialogueUpload,
    output: DialogueUploaded,
    status: 201,
  }),
  search: endpoint("GET /api/digital-twins/:id/search", {
    access: "signed-in",
    summary: "Что найдёт двойник",
    params: IdParams,
    query: z.object({
      q: searchText(1000, { missing: "Введите запрос", long: "Запрос длиннее 1 000 символов" }).check(
        z.minLength(1, "Введите запрос"),
      ),
    }),
    output: z.array(SearchHit),
  }),
};
