import { type ReactNode, useState } from "react";
import { MAX_EXPORT_BYTES, MAX_EXPORT_FILES } from "#contract/knowledge/imports.ts";
import { formatShare } from "#web/i18n/format.ts";
import { formatSize } from "#web/i18n/size.ts";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { FileDrop } from "#web/ui/forms/file-drop.tsx";
import { dropExport, type ExportUpload, sendExports, useExportUpload } from "./export-upload.ts";

/** File types offered by the file chooser; the server checks the content. */
const EXPORT_FILES = ".json,.html,.htm,.txt,.csv,.mbox,.eml,.zip";

interface ExportDropProps {
  /** "" while no twin is chosen, so that nothing is sent. */
  twinId: string;
  /** Called when a file is added while no twin is chosen. */
  onTwinMissing?: () => void;
  /** Receives the files instead of uploading them. */
  onFiles?: (files: File[]) => void;
  disabled?: boolean;
  kindsNamed?: boolean;
  children?: ReactNode;
}

export function ExportDrop({
  twinId,
  onTwinMissing,
  onFiles,
  disabled = false,
  kindsNamed = false,
  children,
}: ExportDropProps) {
  const upload = useExportUpload();
  const [refusal, setRefusal] = useState("");

  function take(files: File[]) {
    if (twinId === "") onTwinMissing?.();
    const reason = refusalOf(files);
    setRefusal(reason);
    if (reason !== "") return;
    if (onFiles) onFiles(files);
    else if (twinId !== "") sendExports(files, twinId);
  }

  if (upload && upload.reason === undefined) return <Sending {...upload} />;
  const fault = refusal || upload?.reason;
  return (
    <div className="flex flex-col gap-5">
      {children}
      <FileDrop
        label="Перетащите файлы выгрузки сюда или выберите на устройстве"
        touchLabel="Выберите файлы выгрузки"
        hint={
          kindsNamed
            ? `Можно несколько, папкой или архивом; каждый файл до ${formatSize(MAX_EXPORT_BYTES)}`
            : `Telegram, WhatsApp, почта, Slack, Discord, VK, Messenger, Instagram или таблица; можно несколько, папкой или архивом, каждый файл до ${formatSize(MAX_EXPORT_BYTES)}`
        }
        accept={EXPORT_FILES}
        folders
        disabled={disabled}
        onFiles={take}
      />
      {fault && (
        <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-danger-soft px-4 py-3">
          <p className="min-w-0 flex-1 whitespace-pre-line text-danger-text text-md [overflow-wrap:anywhere]">
            {fault}
          </p>
          {upload?.reason && upload.refused.length === 0 && !refusal && (
            <Button size="sm" onClick={() => sendExports(upload.files, upload.digitalTwinId)}>
              Продолжить
            </Button>
          )}
        </div>
      )}
      <HowToExport />
    </div>
  );
}

function refusalOf(files: File[]): string {
  if (files.length === 0) return "В папке нет файлов выгрузки: подходят json, html, txt, csv, mbox, eml и zip";
  if (files.length > MAX_EXPORT_FILES)
    return `Выбрано файлов: ${files.length}, за раз можно ${MAX_EXPORT_FILES}. Упакуйте их или всю папку в один zip.`;
  for (const { name, size } of files) {
    const of = files.length > 1 ? `${name}: ` : "";
    if (/\.(rar|7z|gz|tar)$/i.test(name))
      return `${of}такой архив не читается. Упакуйте файлы в zip или выберите их без архива.`;
    if (size === 0) return `${of}файл пуст`;
    if (size > MAX_EXPORT_BYTES)
      return `${of}файл больше ${formatSize(MAX_EXPORT_BYTES)}, выгрузите переписку по частям`;
  }
  return "";
}

function Sending({ files, place, share, waiting }: ExportUpload) {
  const file = files[place]!;
  const size = formatSize(files.reduce((sum, each) => sum + each.size, 0));
  const words =
    files.length === 1
      ? `Загружаем ${file.name} (${size})`
      : `Загружаем файл ${place + 1} из ${files.length}: ${file.name} (всего ${size})`;
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="text-md [overflow-wrap:anywhere]">
        {waiting ? "Связь прервалась. Загрузка продолжится с того же места, как только она вернётся." : words}
      </p>
      <div className="flex items-center gap-3">
        <Progress className="flex-1" label="Загрузка файлов" value={share < 1 ? share * 100 : null} />
        <span aria-hidden className="text-sm text-subtle tabular-nums">
          {formatShare(share)}
        </span>
      </div>
      <p className="text-sm text-subtle">
        Другие разделы открывать можно. Если вкладка закроется, выберите те же файлы снова: загрузка продолжится.
      </p>
      <Button className="self-start" onClick={dropExport}>
        Остановить загрузку
      </Button>
    </div>
  );
}

function HowToExport() {
  return (
    <details className="text-md">
      <summary className="w-fit rounded-sm font-medium text-primary-text">Как получить файл</summary>
      <dl className="mt-3 flex flex-col gap-3 text-muted">
        {guides.map(([service, words]) => (
          <div key={service}>
            <dt className="font-medium text-fg">{service}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

const guides = [
  [
    "Telegram Desktop",
    "Откройте чат, меню «⋮», «Экспорт истории чата» (или «Настройки», «Продвинутые настройки», «Экспорт данных» для всех " +
      "чатов), снимите все галочки с медиа и выберите формат «Машиночитаемый JSON». HTML тоже подойдёт, но в нём люди " +
      "различаются только по именам.",
  ],
  ["WhatsApp", "Откройте чат, меню «Ещё», «Экспорт чата», «Без медиа». Полученный архив или _chat.txt выберите здесь."],
  ["Почта", "Файл mbox из Google Архиватора или Thunderbird, письма .eml, папка или zip с ними."],
  ["Slack", "«Настройки рабочего пространства», «Импорт и экспорт данных», «Экспорт»: выберите полученный zip."],
  ["Discord", "Файл JSON из DiscordChatExporter, по одному на канал или диалог."],
  ["VK", "«Настройки», «Конфиденциальность», «Запросить архив», раздел «Сообщения»: выберите полученный zip."],
  [
    "Messenger и Instagram",
    "«Центр аккаунтов», «Ваша информация и разрешения», «Экспорт информации»: только «Сообщения», формат JSON, за всё время. " +
      "Выберите полученный zip или папку messages из него.",
  ],
  ["Другое", "Таблица CSV со столбцами «дата», «автор», «сообщение» или текст, где каждая реплика начинается с имени."],
] as const;
