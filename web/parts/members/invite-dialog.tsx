import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useForm } from "react-hook-form";
import type * as z from "zod/mini";
import { type Invited, InviteInput } from "#contract/organizations/organizations.ts";
import { Field } from "#web/ui/forms/field.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { Dialog, DialogContent } from "#web/ui/overlays/dialog.tsx";
import { SubmitFooter } from "#web/ui/overlays/submit-footer.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { roleHints } from "./role-names.ts";
import { RoleOptions } from "./role-options.tsx";

type Values = z.input<typeof InviteInput>;

interface InviteDialogProps {
  send: (
    input: Values,
    outcome: { onSuccess: (invited: Invited | null) => void; onError: (error: unknown) => void },
  ) => void;
  busy: boolean;
  /** Why the last try failed; stays in the form. */
  error: unknown;
  onClose: (invited?: Invited) => void;
}

export default function InviteDialog({ send, busy, error, onClose }: InviteDialogProps) {
  const { register, handleSubmit, watch, formState } = useForm<Values>({
    resolver: standardSchemaResolver(InviteInput),
    defaultValues: { email: "", firstName: "", lastName: "", role: "user" },
  });
  const { errors } = formState;
  const submit = handleSubmit((values) =>
    send(values, {
      onSuccess: (invited) => {
        toast({ title: "Успех", description: "Пользователь успешно создан" });
        onClose(invited ?? undefined);
      },
      onError: () => toast({ title: "Ошибка", description: "Не удалось создать пользователя", variant: "destructive" }),
    }),
  );
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={
          <>
            <span lang="en">Invite User</span> — пригласить участника
          </>
        }
        description="Человек получит письмо со ссылкой и станет участником, когда примет приглашение."
      >
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <Field label="Email" required error={errors.email?.message}>
            <Input type="email" required inputMode="email" autoComplete="off" {...register("email")} />
          </Field>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Имя" error={errors.firstName?.message}>
              <Input autoComplete="off" {...register("firstName")} />
            </Field>
            <Field label="Фамилия" error={errors.lastName?.message}>
              <Input autoComplete="off" {...register("lastName")} />
            </Field>
          </div>
          <Field label="Роль" hint={`Участник с этой ролью ${roleHints[watch("role") ?? "user"]}`}>
            <Select {...register("role")}>
              <RoleOptions />
            </Select>
          </Field>
          <FormError error={error} />
          <SubmitFooter label="Пригласить" busyLabel="Отправка..." busy={busy} />
        </form>
      </DialogContent>
    </Dialog>
  );
}
