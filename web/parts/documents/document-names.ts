import { DocumentType } from "#contract/knowledge/knowledge.ts";

const documentTypeNames: Record<DocumentType, string> = {
  faq: "Вопросы и ответы",
  product: "Товары и услуги",
  sales: "Продажи",
  support: "Поддержка",
  training: "Обучение",
  policy: "Правила и регламенты",
  conversation: "Переписка",
};

export const documentTypes = DocumentType.options.map((type) => ({ type, name: documentTypeNames[type] }));

export const documentTypeName = (type: DocumentType) => documentTypeNames[type];

const documentStatusNames: Record<string, string> = {
  processed: "Обработан",
  processing: "Обрабатывается",
  unsure: "Ждёт проверки",
  failed: "Не прочитан",
};

/** An unknown status is shown by its id; a missing one counts as processed. */
export const documentStatusName = (status: string) => documentStatusNames[status || "processed"] ?? status;

const formats: Record<string, string> = {
  "application/pdf": "PDF",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word",
  "text/html": "HTML",
  "text/csv": "CSV",
  "image/png": "PNG",
  "image/jpeg": "JPEG",
  "image/webp": "WebP",
  "audio/ogg": "OGG",
  "audio/wav": "WAV",
  "audio/mpeg": "MP3",
  "audio/mp4": "M4A",
  "audio/aac": "AAC",
  "audio/flac": "FLAC",
};

/** Returns the format of the file that a text was read from; undefined for plain text. */
export const formatName = (mime: string | undefined): string | undefined => formats[mime ?? ""];
