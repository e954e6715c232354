import type { ImportChat } from "#contract/imports.ts";
import { ConversationPlatform, DocumentType } from "#contract/knowledge.ts";
import { platformName } from "#web/ui/platform-icon.tsx";

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

export const conversationPlatforms = ConversationPlatform.options.map((platform) => ({
  platform,
  name: platform === "phone" ? "Телефон" : platform === "chat" ? "Чат" : platformName(platform),
}));

const documentStatusNames: Record<string, string> = { processed: "Обработан", processing: "Обрабатывается" };

/** An unknown status keeps its own word; a missing one counts as processed. */
export const documentStatusName = (status: string) => documentStatusNames[status || "processed"] ?? status;

export const chatKindNames: Record<ImportChat["kind"], string> = {
  private: "Личный чат",
  group: "Группа",
  channel: "Канал",
  saved: "Избранное",
};

/** The messenger that wrote an export: the formats are called «telegram-json», «whatsapp-txt». */
export const exportSource = (format: string | null) =>
  format === null ? "" : platformName(format.split("-")[0] ?? "");
