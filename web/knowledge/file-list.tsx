import { CircleAlert, CircleCheck, Clock, FileText, RotateCw, X } from "lucide-react";
import { formatShare } from "#web/i18n/format.ts";
import { formatSize } from "#web/i18n/size.ts";
import { documentTypes } from "#web/parts/documents/document-names.ts";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { Spinner } from "#web/ui/states/spinner.tsx";
import { clearEndedFiles, type FileUpload, removeFile, setFileType } from "./file-uploads.ts";

interface FileListProps {
  files: FileUpload[];
  onRetry: (id: string) => void;
}

export default function FileList({ files, onRetry }: FileListProps) {
  const several = files.filter(({ status }) => status === "chosen").length > 1;
  const ended = files.filter(({ status }) => status === "done" || status === "failed");
  return (
    <div className="flex flex-col gap-2">
      <ul aria-label="Выбранные файлы" className="divide-y rounded-lg border">
        {files.map((file) => (
          <FileRow
            key={file.id}
            file={file}
            asksType={several && file.status === "chosen"}
            onRetry={() => onRetry(file.id)}
          />
        ))}
      </ul>
      <p role="status" className="sr-only">
        {ended.length > 0 && ended.length === files.length && `Обработано файлов: ${ended.length}`}
      </p>
      {ended.length > 0 && (
        <Button variant="ghost" size="sm" className="self-start" onClick={clearEndedFiles}>
          Убрать завершённые
        </Button>
      )}
    </div>
  );
}

interface FileRowProps {
  file: FileUpload;
  /** Whether each file's type is chosen in its row; a single file has its type in the form. */
  asksType: boolean;
  onRetry: () => void;
}

function FileRow({ file, asksType, onRetry }: FileRowProps) {
  const { id, status, share, reason, refused } = file;
  const { name, size } = file.file;
  const Icon = icons[status];
  return (
    <li className="flex items-start gap-3 px-3 py-2.5">
      <span className="mt-0.5">
        {status === "sending" ? (
          <Spinner className="icon text-muted" />
        ) : (
          <Icon aria-hidden className={`icon ${tones[status]}`} />
        )}
      </span>
      <div className="min-w-0 flex-1">
        <p className="text-md [overflow-wrap:anywhere]">{name}</p>
        <p className={`text-sm ${status === "failed" ? "text-danger-text" : "text-subtle"}`}>
          {status === "failed" ? reason : `${formatSize(size)} · ${words(file)}`}
        </p>
        {asksType && (
          <Select
            className="mt-2 max-w-72"
            aria-label={`Тип файла ${name}`}
            placeholder="Как у остальных, ниже"
            value={file.type}
            onChange={({ target }) => setFileType(id, target.value as FileUpload["type"])}
          >
            {documentTypes.map(({ type, name: typeName }) => (
              <option key={type} value={type}>
                {typeName}
              </option>
            ))}
          </Select>
        )}
        {status === "sending" && (
          <Progress className="mt-2" label={`Загрузка ${name}`} value={share < 1 ? share * 100 : null} />
        )}
        {status === "failed" && !refused && (
          <Button size="sm" className="mt-2" aria-label={`Повторить загрузку ${name}`} onClick={onRetry}>
            <RotateCw aria-hidden className="icon" />
            Повторить
          </Button>
        )}
      </div>
      <Button
        variant="ghost"
        size="icon"
        className="-my-1.5 -me-1.5"
        aria-label={`${status === "sending" ? "Остановить загрузку" : "Убрать"} ${name}`}
        onClick={() => removeFile(id)}
      >
        <X aria-hidden className="icon" />
      </Button>
    </li>
  );
}

const icons = { chosen: FileText, waiting: Clock, sending: FileText, done: CircleCheck, failed: CircleAlert } as const;
const tones: Record<FileUpload["status"], string> = {
  chosen: "text-muted",
  waiting: "text-muted",
  sending: "text-muted",
  done: "text-success-text",
  failed: "text-danger-text",
};

function words({ status, share }: FileUpload): string {
  if (status === "chosen") return "готов к загрузке";
  if (status === "waiting") return "ждёт очереди";
  if (status === "sending") return share < 1 ? `загружается, ${formatShare(share)}` : "обрабатывается";
  return "загружен";
}
