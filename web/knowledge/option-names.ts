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

const documentStatusNames: Record<string, string> = { processed: "Обработан", processing: "Обрабатывается" };

/** An unknown status keeps its own word; a missing one counts as processed. */
export const documentStatusName = (status: string) => documentStatusNames[status || "processed"] ?? status;
