import type { Approval } from "#contract/conversations/approvals.ts";
import { type Cell, csvOf } from "#web/files/csv.ts";
import { formatMoment, formatShare } from "#web/i18n/format.ts";
import { platformLabelOf } from "#web/ui/platform-icon.tsx";
import { notDelivered } from "../not-delivered.ts";

const header = [
  "Собеседник",
  "Двойник",
  "Платформа",
  "Вопрос",
  "Ответ",
  "Состояние",
  "Почему ждёт",
  "Уверенность",
  "Создан",
] as const;

/** Returns the drafts that wait for approval as CSV, as the list shows them. */
export function approvalsCsv(approvals: readonly Approval[]): string {
  return csvOf(
    header,
    approvals.map((one): Cell[] => [
      one.contactName,
      one.twinName,
      platformLabelOf(one.platform),
      one.question,
      one.text,
      notDelivered[one.state as keyof typeof notDelivered] ?? "Ждёт одобрения",
      one.reason,
      one.confidence === null || one.basis === "quoted" || one.scripted ? null : formatShare(one.confidence),
      formatMoment(one.createdAt),
    ]),
  );
}

export function findApprovals(
  approvals: readonly Approval[],
  { q, platform, twinId }: { q: string; platform: string; twinId: string },
): Approval[] {
  const words = q.trim().toLocaleLowerCase("ru");
  return approvals.filter(
    (one) =>
      (!words ||
        [one.contactName, one.twinName, one.question, one.text].some((text) =>
          text.toLocaleLowerCase("ru").includes(words),
        )) &&
      (!platform || one.platform === platform) &&
      (!twinId || one.twinId === twinId),
  );
}
