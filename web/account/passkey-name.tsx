import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useForm } from "react-hook-form";
import { type Passkey, PasskeyNameInput } from "#contract/organizations/account.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Dialog, DialogClose, DialogContent, DialogFooter } from "#web/ui/overlays/dialog.tsx";

interface PasskeyNameProps {
  of: Passkey | "new";
  busy: boolean;
  onClose: () => void;
  onSubmit: (name: string) => void;
}

export default function PasskeyName({ of, busy, onClose, onSubmit }: PasskeyNameProps) {
  const { register, handleSubmit, formState } = useForm<{ name: string }>({
    resolver: standardSchemaResolver(PasskeyNameInput),
    defaultValues: { name: of === "new" ? "" : of.name },
  });
  const wrong = formState.errors.name?.message;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent size="sm" title={of === "new" ? "Новый ключ доступа" : "Название ключа"}>
        <form noValidate onSubmit={handleSubmit(({ name }) => onSubmit(name))} className="flex flex-col gap-4">
          <Field
            label="Название"
            required
            error={wrong}
            hint={wrong ? undefined : "Чтобы вы узнали устройство: «Мой телефон», «Рабочий ноутбук»"}
          >
            <Input autoComplete="off" {...register("name")} />
          </Field>
          <DialogFooter className="mt-2!">
            <DialogClose asChild>
              <Button>Отмена</Button>
            </DialogClose>
            <Button type="submit" variant="primary" busy={busy}>
              {of === "new" ? "Продолжить" : "Сохранить"}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
