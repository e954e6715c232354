import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useForm } from "react-hook-form";
import type * as z from "zod/mini";
import { NewOrganizationInput } from "#contract/organizations/platform.ts";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Dialog, DialogContent } from "#web/ui/overlays/dialog.tsx";
import { SubmitFooter } from "#web/ui/overlays/submit-footer.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { useAddOrganization } from "./queries.ts";

type Values = z.input<typeof NewOrganizationInput>;

/** @param onClose receives the address whose email is only in the server's log */
export default function AddOrganizationDialog({ onClose }: { onClose: (logged?: string) => void }) {
  const add = useAddOrganization();
  const { register, handleSubmit, formState } = useForm<Values>({
    resolver: standardSchemaResolver(NewOrganizationInput),
    defaultValues: { name: "", email: "" },
  });
  const submit = handleSubmit((values) =>
    add.mutate(values, {
      onSuccess: ({ name, letter }) => {
        toast({ title: "Организация добавлена", description: `«${name}»: администратор приглашён` });
        onClose(letter === "log" ? values.email : undefined);
      },
      onError: toastError("Не удалось добавить организацию"),
    }),
  );
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        size="sm"
        title="Новая организация"
        description="Её администратор получит письмо с приглашением. Начнёт она с бесплатного плана."
      >
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <Field label="Название" required error={formState.errors.name?.message}>
            <Input autoComplete="off" {...register("name")} />
          </Field>
          <Field label="Email администратора" required error={formState.errors.email?.message}>
            <Input type="email" inputMode="email" autoComplete="off" {...register("email")} />
          </Field>
          <SubmitFooter label="Добавить" busyLabel="Сохранение..." busy={add.isPending} />
        </form>
      </DialogContent>
    </Dialog>
  );
}
