import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { CRM_ADDRESS, CRM_NAMES, CrmSignIn, type CrmSystem } from "#contract/integrations/crm.ts";
import { messageOf } from "#web/api/api-error.ts";
import { Button } from "#web/ui/button.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { Dialog, DialogClose, DialogContent, DialogFooter } from "#web/ui/overlays/dialog.tsx";
import { useCrmSignIn } from "./crm-queries.ts";

interface SignInDialogProps {
  system: CrmSystem;
  /** Whether the installation has an application of its own at the CRM. */
  ready: boolean;
  host: string;
  redirectUrl: string;
  onClose: () => void;
}

/** Where an application is made, and what its two keys are called there. */
const APP: Record<CrmSystem, { where: string; id: string; secret: string }> = {
  amocrm: {
    where: "amoCRM → амоМаркет → «⋮» → Создать интеграцию → Внешняя",
    id: "ID интеграции",
    secret: "Секретный ключ",
  },
  bitrix24: {
    where: "Битрикс24 → Разработчикам → Другое → Локальное приложение, право «CRM»",
    id: "Код приложения (client_id)",
    secret: "Ключ приложения (client_secret)",
  },
};

/** The account's address, and the application where the installation has none; then the CRM's own page. */
export default function SignInDialog({ system, ready, host, redirectUrl, onClose }: SignInDialogProps) {
  const signIn = useCrmSignIn();
  const [leaving, setLeaving] = useState(false);
  const { register, handleSubmit, formState, setError } = useForm<CrmSignIn>({
    resolver: standardSchemaResolver(CrmSignIn),
    defaultValues: { system, host, clientId: "", clientSecret: "" },
  });
  const { errors } = formState;
  const app = APP[system];
  const submit = handleSubmit((values) =>
    signIn.mutate(values, {
      onSuccess: ({ url }) => {
        setLeaving(true);
        location.assign(url);
      },
      onError: (error) => setError("host", { message: messageOf(error) }, { shouldFocus: true }),
    }),
  );
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={`Войти в ${CRM_NAMES[system]}`}
        description="Откроется страница CRM: разрешите доступ, и она вернёт вас сюда"
      >
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <Field label="Адрес аккаунта" required error={errors.host?.message} hint={CRM_ADDRESS[system]}>
            <Input inputMode="url" autoComplete="off" placeholder={`company.${system}.ru`} {...register("host")} />
          </Field>
          {!ready && (
            <section aria-label="Приложение" className="flex flex-col gap-4 rounded-md bg-sunken p-4">
              <p className="text-md text-muted">
                Создайте приложение: {app.where}. Укажите в нём адрес перенаправления и вставьте ключи сюда.
              </p>
              <div className="flex flex-wrap items-end gap-2">
                <Field label="Адрес перенаправления" className="flex-1 basis-56">
                  <Input readOnly value={redirectUrl} onFocus={(event) => event.target.select()} />
                </Field>
                <CopyButton text={redirectUrl} what="Адрес перенаправления" />
              </div>
              <Field label={app.id} required error={errors.clientId?.message}>
                <Input autoComplete="off" {...register("clientId")} />
              </Field>
              <Field label={app.secret} required error={errors.clientSecret?.message}>
                <PasswordInput what="введённое" autoComplete="off" {...register("clientSecret")} />
              </Field>
            </section>
          )}
          <DialogFooter className="mt-2!">
            <DialogClose asChild>
              <Button>Отмена</Button>
            </DialogClose>
            <Button type="submit" variant="primary" busy={signIn.isPending || leaving}>
              Перейти в {CRM_NAMES[system]}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
