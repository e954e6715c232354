import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useForm, useWatch } from "react-hook-form";
import { useLocation } from "wouter";
import { type Twin, TwinEditForm } from "#contract/twins.ts";
import { useRemoveTwin, useUpdateTwin } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { useFormDraft } from "#web/session/form-draft.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { TwinSubpage } from "#web/shell/twin-subpage.tsx";
import { Button } from "#web/ui/button.tsx";
import { DraftNote } from "#web/ui/forms/draft-note.tsx";
import { Card, CardBody } from "#web/ui/layout/card.tsx";
import { ReadOnly } from "#web/ui/states/read-only.tsx";
import { Spinner } from "#web/ui/states/spinner.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { PurposeField } from "./purpose-field.tsx";
import { TwinFields } from "./twin-fields.tsx";

export default function EditTwinPage() {
  return <TwinSubpage title="Редактирование двойника">{(twin) => <EditForm key={twin.id} twin={twin} />}</TwinSubpage>;
}

function EditForm({ twin }: { twin: Twin }) {
  const [, navigate] = useLocation();
  const update = useUpdateTwin(twin.id);
  const remove = useRemoveTwin(twin.id);
  const form = useForm<TwinEditForm>({
    resolver: standardSchemaResolver(TwinEditForm),
    defaultValues: {
      name: twin.name,
      description: twin.description,
      personality: twin.personality,
      communicationStyle: twin.communicationStyle,
      knowledgeArea: twin.expertise[0] ?? "",
      publicName: twin.publicName ?? "",
      purpose: twin.purpose,
    },
  });
  const purpose = useWatch({ control: form.control, name: "purpose" }) ?? twin.purpose;
  const draft = useFormDraft(form, `edit-twin:${twin.id}`);
  const busy = update.isPending || remove.isPending;
  const readOnly = useReadOnly(twin);

  function leave() {
    draft.drop();
    navigate(paths.twins);
  }

  const submit = form.handleSubmit(({ knowledgeArea, publicName, purpose, ...values }) =>
    update.mutate(
      {
        ...values,
        expertise: knowledgeArea ? [knowledgeArea] : [],
        ...((publicName ?? "") === (twin.publicName ?? "") ? {} : { publicName: publicName || null }),
        ...(purpose === undefined || purpose === twin.purpose ? {} : { purpose }),
      },
      {
        onSuccess: () => {
          toast({ title: "Агент обновлен!" });
          leave();
        },
        onError: toastError("Ошибка обновления"),
      },
    ),
  );

  function askAndRemove() {
    if (!confirm("Вы уверены, что хотите удалить этого агента? Это действие нельзя отменить.")) return;
    remove.mutate(undefined, {
      onSuccess: () => {
        toast({ title: "Агент удален" });
        leave();
      },
      onError: toastError("Ошибка удаления"),
    });
  }

  return (
    <div className="max-w-3xl">
      <Card aria-label="Данные двойника">
        <CardBody>
          <form noValidate onSubmit={submit} className="flex flex-col gap-5">
            <DraftNote restored={draft.restored} onUndo={draft.undo} />
            <ReadOnly reason={readOnly}>
              <TwinFields
                register={form.register}
                errors={form.formState.errors}
                purpose={purpose}
                named={Boolean(twin.publicName)}
                afterDescription={
                  <PurposeField
                    value={purpose}
                    onChange={(next) => form.setValue("purpose", next, { shouldDirty: true })}
                  />
                }
              />
            </ReadOnly>
            <div className="flex flex-wrap gap-2">
              <Button
                type="submit"
                variant="primary"
                className="max-sm:w-full"
                busy={update.isPending}
                disabled={busy || readOnly !== null}
              >
                {update.isPending ? "Сохранение..." : "Сохранить"}
              </Button>
              <Button className="max-sm:w-full" onClick={leave}>
                Отмена
              </Button>
            </div>
          </form>
        </CardBody>
      </Card>
      <div className="mt-8 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t pt-4">
        <p className="max-w-measure text-md text-muted">Удаление нельзя отменить.</p>
        <Button variant="danger" className="max-sm:w-full" disabled={busy || readOnly !== null} onClick={askAndRemove}>
          {remove.isPending && <Spinner />}
          {remove.isPending ? "Удаление..." : "Удалить двойника"}
        </Button>
      </div>
    </div>
  );
}
