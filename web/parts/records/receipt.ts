import type { DestructionRecord } from "#contract/organizations/records.ts";
import { formatMoment } from "#web/i18n/format.ts";

/** The receipt of a deletion: time, object and record id. It contains no personal texts. */
function receiptText({ id, at, kind, subject, by, counts }: DestructionRecord): string {
  return [
    "Справка об удалении данных · Цифровые двойники",
    `Запись: ${id}`,
    `Когда: ${formatMoment(at)} (${at})`,
    `Что удалено: ${kind === "account" ? "аккаунт" : "организация"} ${subject}`,
    `Кто удалил: ${by}`,
    `Двойников: ${counts.twins}`,
    `Документов: ${counts.documents}`,
    `Сообщений переписки: ${counts.messages}`,
    `Диалогов: ${counts.conversations}`,
    `Загруженных файлов: ${counts.files}`,
    "",
  ].join("\r\n");
}

export function downloadReceipt(record: DestructionRecord) {
  const url = URL.createObjectURL(new Blob([`\uFEFF${receiptText(record)}`], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `deletion-${record.id}.txt`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
