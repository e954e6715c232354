import { type ReactNode, useState } from "react";
import { formatShare, formatSize } from "#web/i18n/format.ts";
import { Button } from "#web/ui/button.tsx";
import { FileDrop } from "#web/ui/file-drop.tsx";
import { Progress } from "#web/ui/progress.tsx";
import { dropExport, sendExport, useExportUpload } from "./export-upload.ts";

const MAX_EXPORT_BYTES = 2 * 1024 ** 3;
/** What the file chooser offers; what is inside is for the server to tell. */
const EXPORT_FILES = ".json,.html,.htm,.txt,.csv,.mbox,.eml,.zip";

interface ExportDropProps {
  /** "" while none is chosen: then nothing is sent. */
  twinId: string;
  /** A file was given while no twin is chosen. */
  onTwinMissing?: () => void;
  disabled?: boolean;
  /** Stands over the place for the file. */
  children?: ReactNode;
}

/** Takes the file that a messenger exported and sends it at once. */
export function ExportDrop({ twinId, onTwinMissing, disabled = false, children }: ExportDropProps) {
  const upload = useExportUpload();
  const [refusal, setRefusal] = useState("");

  function take([file]: File[]) {
    if (!file) return;
    if (twinId === "") onTwinMissing?.();
    const reason = refusalOf(file);
    setRefusal(reason);
    if (reason === "" && twinId !== "") sendExport(file, twinId);
  }

  if (upload && upload.reason === undefined) return <Sending {...upload} />;
  const fault = refusal || upload?.reason;
  return (
    <div className="flex flex-col gap-5">
      {children}
      <FileDrop
        label="Перетащите файл выгрузки сюда или выберите на устройстве"
        hint={`Telegram, WhatsApp, почта, Slack, Discord, VK или таблица, можно архивом; до ${formatSize(MAX_EXPORT_BYTES)}`}
        accept={EXPORT_FILES}
        multiple={false}
        disabled={disabled}
        onFiles={take}
      />
      {fault && (
        <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-danger-soft px-4 py-3">
          <p className="min-w-0 flex-1 text-danger-text text-md">{fault}</p>
          {upload?.reason && !upload.refused && !refusal && (
            <Button size="sm" onClick={() => sendExport(upload.file, upload.digitalTwinId)}>
              Повторить
            </Button>
          )}
        </div>
      )}
      <HowToExport />
    </div>
  );
}

function refusalOf({ name, size }: File): string {
  if (/\.(rar|7z|gz|tar)$/i.test(name))
    return "Такой архив не читается: упакуйте файлы в zip или выберите их без архива";
  if (size === 0) return "Файл пуст";
  if (size > MAX_EXPORT_BYTES) return `Файл больше ${formatSize(MAX_EXPORT_BYTES)}: выгрузите переписку по частям`;
  return "";
}

function Sending({ file, share }: { file: File; share: number }) {
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="text-md [overflow-wrap:anywhere]">
        Загружаем {file.name} ({formatSize(file.size)})
      </p>
      <div className="flex items-center gap-3">
        <Progress className="flex-1" label={`Загрузка ${file.name}`} value={share < 1 ? share * 100 : null} />
        <span aria-hidden className="text-sm text-subtle tabular-nums">
          {formatShare(share)}
        </span>
      </div>
      <p className="text-sm text-subtle">Другие разделы открывать можно, закрывать вкладку до конца загрузки — нет.</p>
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
  ["Почта", "Файл mbox из Google Архиватора или Thunderbird, отдельные письма .eml или zip с ними."],
  ["Slack", "«Настройки рабочего пространства», «Импорт и экспорт данных», «Экспорт»: выберите полученный zip."],
  ["Discord", "Файл JSON из DiscordChatExporter, по одному на канал или диалог."],
  ["VK", "«Настройки», «Конфиденциальность», «Запросить архив», раздел «Сообщения»: выберите полученный zip."],
  ["Другое", "Таблица CSV со столбцами «дата», «автор», «сообщение» или текст, где каждая реплика начинается с имени."],
] as const;
