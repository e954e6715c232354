import type { AuditEntry } from "#contract/organizations/audit.ts";
import { type Cell, csvOf } from "#web/files/csv.ts";
import { formatMoment } from "#web/i18n/format.ts";

const header = ["Когда", "Кто", "Что", "С чем", "Подробности", "Организация"] as const;

export function auditCsv(entries: readonly AuditEntry[]): string {
  return csvOf(
    header,
    entries.map((entry): Cell[] => [
      formatMoment(entry.at),
      actorName(entry),
      entry.sentence,
      entry.subject,
      entry.details.map(({ label, value }) => `${label}: ${value}`).join("; "),
      entry.organization,
    ]),
  );
}

export function actorName({ actor }: AuditEntry): string {
  if (actor === null) return "Неизвестно кто";
  return actor.name ?? "Удалённый участник";
}
