import { FilePlus2, FileText, TextCursorInput, X } from "lucide-react";
import { lazy, type RefObject, Suspense, useId, useRef, useState } from "react";
import { formatSize } from "#web/i18n/size.ts";
import { acceptedFiles, refusalOf } from "#web/parts/documents/accepted-files.ts";
import { Button } from "#web/ui/button.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";

const PastedDocument = lazy(() => import("./pasted-document.tsx"));

interface DocumentsFieldProps {
  files: readonly File[];
  onAdd: (files: File[]) => void;
  /** When absent, added files are sent at once. */
  onRemove?: (file: File) => void;
  typed?: RefObject<string>;
  disabled?: boolean;
}

/** Documents in addition to messages: files of any kind that the twin reads, or pasted text. */
export function DocumentsField({ files, onAdd, onRemove, typed, disabled = false }: DocumentsFieldProps) {
  const title = useId();
  const [pasting, setPasting] = useState(false);
  const [refusal, setRefusal] = useState("");
  // Referenced here while the browser's file dialog is open, because it is not part of the page.
  const input = useRef<HTMLInputElement>(null);

  function take(given: File[]) {
    const refused = given.map((file) => ({ file, reason: refusalOf(file) })).find(({ reason }) => reason !== undefined);
    setRefusal(refused ? `${refused.file.name}: ${refused.reason}` : "");
    const taken = given.filter((file) => refusalOf(file) === undefined);
    if (taken.length > 0) onAdd(taken);
  }

  function choose() {
    const chooser = document.createElement("input");
    chooser.type = "file";
    chooser.multiple = true;
    chooser.accept = acceptedFiles.join(",");
    chooser.addEventListener("change", () => take([...(chooser.files ?? [])]));
    input.current = chooser;
    chooser.click();
  }

  return (
    <section aria-labelledby={title} className="flex flex-col gap-3 rounded-lg border p-4">
      <div className="flex items-start gap-3">
        <FileText aria-hidden className="icon mt-0.5 text-primary-text" />
        <div className="min-w-0">
          <h3 id={title} className="font-medium text-md">
            Документы
          </h3>
          <p className="mt-0.5 max-w-measure text-muted text-sm">
            Прайс, условия, ответы на вопросы: по ним двойник отвечает точно и называет источник. Годятся вместе
            с&nbsp;перепиской или вместо неё.
          </p>
        </div>
      </div>
      {files.length > 0 && (
        <ul aria-label="Выбранные документы" className="divide-y rounded-lg border">
          {files.map((file) => (
            <li key={`${file.name}:${file.size}:${file.lastModified}`} className="flex items-center gap-3 px-3 py-1">
              <span className="min-w-0 flex-1 text-md [overflow-wrap:anywhere]">
                {file.name} <span className="text-subtle text-sm">{formatSize(file.size)}</span>
              </span>
              {onRemove && (
                <Button variant="ghost" aria-label={`Убрать ${file.name}`} onClick={() => onRemove(file)}>
                  <X aria-hidden className="icon" />
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <FormError error={refusal} />
      {pasting ? (
        <Suspense fallback={<LoadingStatus>Загрузка...</LoadingStatus>}>
          <PastedDocument
            typed={typed}
            onAdd={(file) => {
              setPasting(false);
              onAdd([file]);
            }}
            onCancel={() => setPasting(false)}
          />
        </Suspense>
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button disabled={disabled} onClick={choose}>
            <FilePlus2 aria-hidden className="icon" />
            Выбрать документы
          </Button>
          <Button disabled={disabled} onClick={() => setPasting(true)}>
            <TextCursorInput aria-hidden className="icon" />
            Вставить текст
          </Button>
        </div>
      )}
    </section>
  );
}
