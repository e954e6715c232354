import type { ImportChat } from "#contract/knowledge/imports.ts";
import { ConversationPlatform } from "#contract/knowledge/knowledge.ts";
import { platformName } from "#web/ui/platform-icon.tsx";

export const conversationPlatforms = ConversationPlatform.options.map((platform) => ({
  platform,
  name: platform === "phone" ? "Телефон" : platform === "chat" ? "Чат" : platformName(platform),
}));

export const chatKindNames: Record<ImportChat["kind"], string> = {
  private: "Личный чат",
  group: "Группа",
  channel: "Канал",
  saved: "Избранное",
};

/** Returns the messenger of an export's format; formats are named «telegram-json», «whatsapp-txt». */
export const exportSource = (format: string | null) =>
  format === null ? "" : platformName(format.split("-")[0] ?? "");
