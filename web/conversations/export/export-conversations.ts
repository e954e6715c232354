import { type Cell, csvOf } from "#web/files/csv.ts";
import { formatMoment } from "#web/i18n/format.ts";
import { platformLabelOf } from "#web/ui/platform-icon.tsx";
import type { ShownConversation } from "../shown-conversation.ts";

const header = [
  "Собеседник",
  "Двойник",
  "Платформа",
  "Статус",
  "Сообщений",
  "Последнее сообщение",
  "Начат",
  "Обновлён",
] as const;

/** Returns conversations as CSV, without counts that were invented for the screen. */
export function conversationsCsv(conversations: readonly ShownConversation[]): string {
  return csvOf(
    header,
    conversations.map((conversation): Cell[] => [
      conversation.participantName,
      conversation.twinName,
      platformLabelOf(conversation.platform),
      conversation.isActive ? "Активен" : "Завершен",
      conversation.countInvented ? null : conversation.messageCount,
      conversation.lastMessage ?? null,
      conversation.startedAt ? formatMoment(conversation.startedAt) : null,
      conversation.lastMessageTime ? formatMoment(conversation.lastMessageTime) : null,
    ]),
  );
}
