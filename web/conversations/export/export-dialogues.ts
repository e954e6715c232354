import { type Cell, csvOf } from "#web/files/csv.ts";
import { formatMoment } from "#web/i18n/format.ts";
import type { Dialogue } from "../dialogue.ts";
import { dialoguePlatformName } from "../dialogue-platform.tsx";

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

/** A count that was invented for the screen stays out of the file. */
export function dialoguesCsv(dialogues: readonly Dialogue[]): string {
  return csvOf(
    header,
    dialogues.map((dialogue): Cell[] => [
      dialogue.participantName,
      dialogue.twinName,
      dialoguePlatformName(dialogue.platform),
      dialogue.isActive ? "Активен" : "Завершен",
      dialogue.countInvented ? null : dialogue.messageCount,
      dialogue.lastMessage ?? null,
      dialogue.startedAt ? formatMoment(dialogue.startedAt) : null,
      dialogue.lastMessageTime ? formatMoment(dialogue.lastMessageTime) : null,
    ]),
  );
}
