import { FileText, ShieldCheck } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { plural } from "#web/i18n/plural.ts";
import { formatSize } from "#web/i18n/size.ts";
import { ExportDrop } from "#web/parts/imports/export-drop.tsx";
import { sendExports } from "#web/parts/imports/export-upload.ts";
import { useCreateTwin } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { ReadOnly } from "#web/ui/states/read-only.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { sendDocuments } from "./documents/document-uploads.ts";
import { DocumentsField } from "./documents/documents-field.tsx";
import { fileOfText, textRefusal } from "./documents/file-of-text.ts";
import { isOnlyDocument } from "./documents/only-document.ts";
import { recogniseSource } from "./recognise-source.ts";
import { SourceChoice } from "./source-choice.tsx";
import { StepCard } from "./step-card.tsx";
import { defaultTwinInput } from "./twin-defaults.ts";
import type { OnboardingAddress } from "./use-onboarding-address.ts";

const FORM = "onboarding-import";
const NAME_LIMIT = 200;

/** The onboarding step that asks for the twin's name and its owner's messages. The messages are uploaded once the twin exists. */
export function DataImportStep({ source, change }: Pick<OnboardingAddress, "source" | "change">) {
  const [name, setName] = useState("");
  const [files, setFiles] = useState<readonly File[]>([]);
  const [documents, setDocuments] = useState<readonly File[]>([]);
  const field = useRef<HTMLInputElement>(null);
  const readOnly = useReadOnly();
  const create = useCreateTwin();

  /** The latest files and documents, for the response to a creation that was sent before they were added. */
  const given = useRef({ files, documents });
  useEffect(() => {
    given.current = { files, documents };
  }, [files, documents]);

  /** Pasted text that was not added with its own button; it is sent with the form. */
  const typed = useRef("");

  function submit(event: FormEvent) {
    event.preventDefault();
    if (name.trim() === "") return;
    const pasted = typed.current.trim() === "" ? undefined : typed.current;
    const refusal = pasted && textRefusal(pasted);
    if (refusal) return void toast({ title: "Текст документа", description: refusal, variant: "destructive" });
    create.mutate(defaultTwinInput(name), {
      // Replaces the history entry, so that «back» does not create a second twin.
      onSuccess: (twin) => {
        if (twin) {
          const { files } = given.current;
          const documents = [...given.current.documents, ...(pasted ? [fileOfText(pasted)] : [])];
          if (files.length > 0) void sendExports([...files], twin.id);
          if (documents.length > 0) void sendDocuments(documents, twin.id);
          change({ twin: twin.id, source, step: "2" });
        } else toast({ title: "Ошибка создания", description: "Сервер не назвал двойника", variant: "destructive" });
      },
      onError: toastError("Ошибка создания"),
    });
  }

  const latest = useRef<readonly File[]>([]);
  function take(given: File[]) {
    if (name.trim() === "") field.current?.focus();
    addDocuments(given.filter(isOnlyDocument));
    const exports = given.filter((file) => !isOnlyDocument(file));
    const [first] = exports;
    if (first === undefined) return;
    setFiles(exports);
    latest.current = exports;
    // The file's content overrides the chosen platform.
    void recogniseSource(first).then((found) => {
      if (found !== null && latest.current === exports) change({ source: found });
    });
  }

  const addDocuments = (given: File[]) => setDocuments((before) => [...before, ...given]);

  return (
    <StepCard
      title="Импорт данных"
      description="Двойник учится на ваших сообщениях и документах. Назовите его и дайте то, что есть под рукой: дальше он справится сам."
      actions={
        <>
          <Button
            type="submit"
            form={FORM}
            variant="primary"
            className="max-sm:w-full"
            busy={create.isPending}
            disabled={name.trim() === "" || readOnly !== null}
          >
            {create.isPending ? "Создание..." : "Продолжить"}
          </Button>
          <Button asChild variant="ghost" className="max-sm:w-full">
            <Link href={paths.dashboard}>Пропустить пока</Link>
          </Button>
        </>
      }
    >
      <form id={FORM} noValidate onSubmit={submit} className="flex flex-col gap-6">
        <ReadOnly reason={readOnly}>
          <Field label="Имя двойника" required hint="Описание и характер можно дополнить позже в настройках двойника.">
            <Input
              ref={field}
              placeholder="Например, Анна Петрова"
              autoComplete="off"
              maxLength={NAME_LIMIT}
              className="sm:max-w-96"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          </Field>
          <SourceChoice value={source} onChange={(next) => change({ source: next })} />
          {files.length === 0 ? (
            <ExportDrop kindsNamed twinId="" disabled={readOnly !== null} onFiles={take} />
          ) : (
            <ChosenFiles files={files} named={name.trim() !== ""} onRemove={() => setFiles([])} />
          )}
          <DocumentsField
            files={documents}
            onAdd={addDocuments}
            onRemove={(file) => setDocuments((before) => before.filter((one) => one !== file))}
            typed={typed}
            disabled={readOnly !== null}
          />
        </ReadOnly>
        <p className="flex gap-3 text-md text-muted">
          <ShieldCheck aria-hidden className="icon mt-0.5 text-primary-text" />
          <span className="max-w-measure">
            Переписку видите только вы: её не&nbsp;видят даже администраторы. Что написал один собеседник, двойник
            не&nbsp;пересказывает другому. Чаты выбираете вы, удалить всё можно в&nbsp;любой момент.
          </span>
        </p>
      </form>
    </StepCard>
  );
}

interface ChosenFilesProps {
  files: readonly File[];
  named: boolean;
  onRemove: () => void;
}

function ChosenFiles({ files, named, onRemove }: ChosenFilesProps) {
  const size = formatSize(files.reduce((sum, each) => sum + each.size, 0));
  const what = files.length === 1 ? files[0]!.name : plural(files.length, ["файл", "файла", "файлов"]);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-primary bg-primary-soft px-4 py-3">
      <FileText aria-hidden className="icon text-primary-text" />
      <p role="status" className="min-w-0 flex-1 text-md [overflow-wrap:anywhere]">
        <strong className="font-medium">{what}</strong> ({size}).{" "}
        {named ? "Загрузка начнётся по\u00a0кнопке «Продолжить»." : "Осталось назвать двойника."}
      </p>
      <Button size="sm" onClick={onRemove}>
        Убрать
      </Button>
    </div>
  );
}
