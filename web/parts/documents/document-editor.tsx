import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useRef } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { DocumentInput, DocumentUpdate, type KnowledgeDocument, knowledgeApi } from "#contract/knowledge/knowledge.ts";
import { codeOf } from "#web/api/api-error.ts";
import { call } from "#web/api/call.ts";
import { useFormDraft } from "#web/session/form-draft.ts";
import { Button } from "#web/ui/button.tsx";
import { DraftNote } from "#web/ui/forms/draft-note.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { DialogFooter } from "#web/ui/overlays/dialog.tsx";
import { actionToast } from "#web/ui/toasts/action-toast.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { useSingleFlight } from "#web/use-single-flight.ts";
import { formatName } from "./document-names.ts";
import { useUpdateDocument } from "./queries.ts";

const Texts = z.pick(DocumentUpdate, { name: true, content: true });
type Texts = z.infer<typeof Texts>;
/** The text of a picture may be short, so it has no minimum length. */
const readResolver = standardSchemaResolver(Texts);
const typedResolver = standardSchemaResolver(z.pick(DocumentInput, { name: true, content: true }));

interface DocumentEditorProps {
  document: KnowledgeDocument;
  onDone: () => void;
}

/** Edits title and text of a document. Typed text survives a conflict, a closed dialog and a reload. */
export function DocumentEditor({ document, onDone }: DocumentEditorProps) {
  const { id, name, content, mime, sourceUrl, original } = document;
  // The version that the typed text is based on; `document` may become a newer one meanwhile.
  const version = useRef(document.version);
  const form = useForm<Texts>({ defaultValues: { name, content }, resolver: original ? readResolver : typedResolver });
  const draft = useFormDraft(form, `document:${id}`);
  const update = useUpdateDocument(id);
  const { errors, isDirty } = form.formState;
  const file = formatName(mime);
  const conflict = codeOf(update.error) === "document_changed";
  const former = useRef(document);

  const save = useSingleFlight(async (texts: Texts) => {
    try {
      const after = await update.mutateAsync({ ...texts, version: version.current ?? "" });
      draft.drop();
      toldOf(former.current, after);
      onDone();
    } catch {
      // The error is shown above the buttons; typed text stays.
    }
  });

  /**
   * Resolves a conflict with a newer stored version. `keep` saves the typed text over it, otherwise the stored text replaces the form's.
   */
  const settle = useSingleFlight(async (keep: boolean) => {
    try {
      const stored = await call(knowledgeApi.document, { params: { id } });
      version.current = stored.version;
      former.current = stored;
    } catch (error) {
      toastError("Не удалось загрузить документ")(error);
      return;
    }
    update.reset();
    if (keep) return void form.handleSubmit(save)();
    draft.drop();
    form.reset({ name: former.current.name, content: former.current.content });
  });

  return (
    <form noValidate className="flex min-h-0 flex-col gap-4" onSubmit={form.handleSubmit(save)}>
      <DraftNote restored={draft.restored} onUndo={draft.undo} />
      <Field label="Название документа" error={errors.name?.message}>
        <Input maxLength={300} {...form.register("name")} />
      </Field>
      <Field
        label="Содержимое"
        error={errors.content?.message}
        hint={
          sourceUrl
            ? "Это текст страницы сайта: если она изменится на сайте, обновление заменит вашу правку."
            : file
              ? `Это текст, прочитанный из файла ${file}: двойник отвечает по нему, сам файл не меняется.`
              : "Двойник начнёт отвечать по новому тексту сразу после сохранения."
        }
      >
        <Textarea rows={14} className="font-normal" {...form.register("content")} />
      </Field>
      {conflict ? (
        <div role="alert" className="rounded-md border bg-warning-soft p-4 text-md">
          <p>Пока вы писали, документ изменили в другом окне. Ваш текст остался в форме.</p>
          <div className="mt-3 flex flex-wrap gap-2">
            <Button size="sm" onClick={() => void settle(true)}>
              Сохранить мой текст
            </Button>
            <Button size="sm" variant="ghost" onClick={() => void settle(false)}>
              Взять новый, мой забыть
            </Button>
          </div>
        </div>
      ) : (
        <FormError error={update.error} />
      )}
      <DialogFooter className="mt-0!">
        <Button
          disabled={update.isPending}
          onClick={() => {
            draft.drop();
            onDone();
          }}
        >
          Отмена
        </Button>
        <Button type="submit" variant="primary" busy={update.isPending} disabled={!isDirty || update.isPending}>
          Сохранить
        </Button>
      </DialogFooter>
    </form>
  );
}

/** Offers to restore the previous text while the toast is visible. */
function toldOf(before: KnowledgeDocument, { id, version = "" }: KnowledgeDocument) {
  const { name, content } = before;
  const undo = () =>
    call(knowledgeApi.updateDocument, { params: { id }, input: { name, content, version } }).then(
      () => toast({ title: "Прежний текст возвращён" }),
      toastError("Не удалось вернуть прежний текст"),
    );
  actionToast("Документ изменён", [{ label: "Отменить", onPress: () => void undo() }]);
}
