import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { MessageMedia } from "../media.ts";
import { KNOWLEDGE } from "../tags.ts";
import { IdParams } from "../twins.ts";
import { searchText } from "./search-text.ts";

export const DocumentType = z.enum(
  ["faq", "product", "sales", "support", "training", "policy", "conversation"],
  "Выберите тип документа",
);
export type DocumentType = z.infer<typeof DocumentType>;

export const ConversationPlatform = z.enum(["telegram", "whatsapp", "email", "phone", "chat"], "Выберите платформу");
export type ConversationPlatform = z.infer<typeof ConversationPlatform>;

/** Maximum number of characters in a document; a longer text is rejected, not truncated. */
export const MAX_DOCUMENT_CHARS = 500_000;

const TwinId = z.uuid("Выберите цифрового двойника");
/** Requires a minimum length, not counting white space at both ends; the text itself stays unchanged. */
const written = (min: number, message: string) => z.refine<string>((text) => text.trim().length >= min, message);
const DOCUMENT_SHORT = "Содержимое должно быть минимум 50 символов";
const HISTORY_SHORT = "История переписки должна содержать минимум 100 символов";
/** These limits only bound the server's work: the specification sets none, and real names and tags are shorter. */
const MAX_NAME = 4000;
const MAX_TAGS = 1000;
const Tag = z.string().check(z.trim(), z.maxLength(MAX_NAME, "Слишком длинный тег"));

/** The document form and the JSON upload. `status` is accepted but ignored: documents are always 'processed'. */
export const DocumentInput = z.object({
  digitalTwinId: TwinId,
  name: z
    .string("Название документа обязательно")
    .check(
      z.trim(),
      z.minLength(1, "Название документа обязательно"),
      z.maxLength(MAX_NAME, "Слишком длинное название"),
    ),
  content: z
    .string(DOCUMENT_SHORT)
    .check(
      z.minLength(50, DOCUMENT_SHORT),
      written(50, DOCUMENT_SHORT),
      z.maxLength(MAX_DOCUMENT_CHARS, "Документ длиннее 500 000 символов: разделите его на части"),
    ),
  type: DocumentType,
  tags: z.optional(z.array(Tag).check(z.maxLength(MAX_TAGS, "Не больше 1 000 тегов"))),
});
export type DocumentInput = z.infer<typeof DocumentInput>;

/** Fields of a recording or a picture. They have no minimum text length, because the text is read from the file later. */
export const OriginalFields = z.omit(DocumentInput, { content: true });
export type OriginalFields = z.infer<typeof OriginalFields>;

const NO_TEXT = "Введите текст";
/**
 * A new title and text. `version` is that of the document that was edited, so that a newer one is not overwritten.
 * Documents without `original` keep the minimum length of `DocumentInput`.
 */
export const DocumentUpdate = z.object({
  name: DocumentInput.shape.name,
  content: z
    .string(NO_TEXT)
    .check(
      written(1, NO_TEXT),
      z.maxLength(MAX_DOCUMENT_CHARS, "Документ длиннее 500 000 символов: разделите его на части"),
    ),
  version: z
    .string("Обновите страницу")
    .check(z.minLength(1, "Обновите страницу"), z.maxLength(64, "Обновите страницу")),
});
export type DocumentUpdate = z.infer<typeof DocumentUpdate>;

/** Form fields of a multipart upload; `tags` are comma-separated there. `name` applies to a single file and defaults to the file's name. */
export const DocumentUploadFields = z.object({
  digitalTwinId: TwinId,
  name: z.optional(DocumentInput.shape.name),
  type: DocumentType,
  tags: z.optional(z.string().check(z.maxLength(20_000))),
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
  /** Number of characters in the whole text; in lists `content` holds only its beginning. */
  length: z.number(),
  createdAt: z.string(),
  /** Media type of the file that the text was read from. */
  mime: z.optional(z.string()),
  /** Changes whenever the title or the text changes. */
  version: z.optional(z.string()),
  /** URL of the website page that the document was read from; null for an uploaded document. */
  sourceUrl: z.optional(z.nullable(z.string())),
  /**
   * The recording or picture that the document was read from; absent in lists. Its `text` is empty, because the document holds the text.
   */
  original: z.optional(z.nullable(MessageMedia)),
});
export type KnowledgeDocument = z.infer<typeof KnowledgeDocument>;

export const MAX_UPLOAD_FILES = 20;
export const MAX_UPLOAD_BYTES = 50 * 1024 * 1024;

/** A file of a multi-file upload that was rejected, with a Russian sentence in `error`. The other files are kept. */
export const FailedDocument = z.object({ name: z.string(), status: z.literal("failed"), error: z.string() });
export type FailedDocument = z.infer<typeof FailedDocument>;

/**
 * One document for the JSON form and for a single file, otherwise one entry per file in the same order; a rejected file has `error`.
 * If no file was accepted, the response is 422 with one sentence per file in `fields` (for a single file: its own error).
 */
export const UploadedDocuments = z.union([KnowledgeDocument, z.array(z.union([FailedDocument, KnowledgeDocument]))]);
export type UploadedDocuments = z.infer<typeof UploadedDocuments>;

/** A pasted conversation, whose lines the client classifies by the specification's rule. */
export const ConversationUpload = z.object({
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
    .array(z.string().check(z.trim(), z.minLength(1, "Имя участника обязательно"), z.maxLength(MAX_NAME)))
    .check(z.minLength(1, "Имя участника обязательно"), z.maxLength(50)),
});
export type ConversationUpload = z.infer<typeof ConversationUpload>;

export const ConversationForm = z.object({
  digitalTwinId: TwinId,
  platform: ConversationPlatform,
  participantName: z
    .string("Имя участника обязательно")
    .check(z.trim(), z.minLength(1, "Имя участника обязательно"), z.maxLength(MAX_NAME, "Слишком длинное имя")),
  chatHistory: z.string(HISTORY_SHORT).check(z.minLength(100, HISTORY_SHORT), written(100, HISTORY_SHORT)),
});
export type ConversationForm = z.infer<typeof ConversationForm>;

/** `imported`: new messages; `duplicates`: messages known already; `fromOwner`: how many of both the owner wrote. */
export const ConversationUploaded = z.object({
  imported: z.number(),
  fromOwner: z.number(),
  duplicates: z.number(),
  sourceId: z.string(),
});
export type ConversationUploaded = z.infer<typeof ConversationUploaded>;

export const SearchHit = z.object({
  kind: z.enum(["document", "message"]),
  text: z.string(),
  name: z.string(),
  score: z.number(),
  documentId: z.optional(z.string()),
  /** Set for a message that matched: whether the twin's owner wrote it. `name` is the contact of the conversation. */
  fromOwner: z.optional(z.boolean()),
  /** Whether only the embedding matched: the text shares no word with the query. */
  byEmbedding: z.optional(z.boolean()),
});
export type SearchHit = z.infer<typeof SearchHit>;

export const knowledgeApi = {
  documents: endpoint("GET /api/knowledge/documents", {
    access: "signed-in",
    tags: ["documents"],
    summary: "Загруженные документы",
    output: z.array(KnowledgeDocument),
  }),
  document: endpoint("GET /api/knowledge/documents/:id", {
    access: "signed-in",
    tags: ["documents"],
    summary: "Документ целиком",
    params: IdParams,
    output: KnowledgeDocument,
  }),
  upload: endpoint("POST /api/knowledge/upload", {
    access: "editor",
    refreshes: KNOWLEDGE,
    beforeConfirmation: true,
    summary: "Загрузить документ (JSON) или файлы (multipart)",
    input: DocumentInput,
    output: UploadedDocuments,
    status: 201,
  }),
  updateDocument: endpoint("PUT /api/knowledge/documents/:id", {
    access: "editor",
    refreshes: KNOWLEDGE,
    beforeConfirmation: true,
    summary: "Изменить название и текст документа; 409 document_changed, если его изменили раньше",
    params: IdParams,
    input: DocumentUpdate,
    output: KnowledgeDocument,
  }),
  readDocumentAgain: endpoint("POST /api/knowledge/documents/:id/read", {
    access: "editor",
    refreshes: KNOWLEDGE,
    summary: "Прочитать ещё раз картинку или запись, которую не удалось прочитать уверенно",
    params: IdParams,
    output: KnowledgeDocument,
  }),
  removeDocument: endpoint("DELETE /api/knowledge/documents/:id", {
    access: "editor",
    refreshes: KNOWLEDGE,
    summary: "Удалить документ и всё, что из него взято",
    params: IdParams,
  }),
  uploadConversation: endpoint("POST /api/conversations/upload", {
    access: "editor",
    refreshes: KNOWLEDGE,
    beforeConfirmation: true,
    summary: "Загрузить пример диалога",
    input: ConversationUpload,
    output: ConversationUploaded,
    status: 201,
  }),
  search: endpoint("GET /api/digital-twins/:id/search", {
    access: "signed-in",
    tags: ["twins"],
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
