import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { ExternalLink } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useForm } from "react-hook-form";
import { CRM_NAMES, type CrmOverview, CrmSignIn, type CrmSystem, crmHost } from "#contract/integrations/crm.ts";
import { codeOf, messageOf } from "#web/api/api-error.ts";
import { Button } from "#web/ui/button.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { Dialog, DialogClose, DialogContent, DialogFooter } from "#web/ui/overlays/dialog.tsx";
import { APP_GUIDES } from "./app-guides.ts";
import { useCrmSignIn } from "./crm-queries.ts";
import type { RefusedSignIn } from "./use-crm-return.ts";

interface SignInDialogProps {
  system: CrmSystem;
  overview: CrmOverview;
  refused: RefusedSignIn | null;
  onClose: () => void;
}

/** Numbered steps, each beside its field: the account's address, the application unless one is configured, then the CRM's own page. */
export default function SignInDialog({ system, overview, refused, onClose }: SignInDialogProps) {
  const signIn = useCrmSignIn();
  const [leaving, setLeaving] = useState(false);
  const connection = overview.connections.find((each) => each.system === system);
  const ready = overview.systems.some((each) => each.system === system && each.ready);
  const [replacing, setReplacing] = useState(refused !== null && codeOf(refused.error) === "credentials_refused");
  const { register, handleSubmit, formState, setError, watch } = useForm<CrmSignIn>({
    resolver: standardSchemaResolver(CrmSignIn),
    defaultValues: { system, host: refused?.host ?? connection?.host ?? "", clientId: "", clientSecret: "" },
  });
  const { errors } = formState;
  const guide = APP_GUIDES[system];
  const host = crmHost(system, watch("host"));
  const stored = connection !== undefined && host === connection.host;
  const asksKeys = replacing || !(ready || stored);
  const submit = handleSubmit((values) =>
    signIn.mutate(values, {
      onSuccess: ({ url }) => {
        setLeaving(true);
        location.assign(url);
      },
      onError: (error) => {
        const missing = codeOf(error) === "crm_app_missing";
        if (missing) setReplacing(true);
        setError(missing ? "clientId" : "host", { message: messageOf(error) }, { shouldFocus: true });
      },
    }),
  );
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={`Войти в ${CRM_NAMES[system]}`}
        description="Откроется страница CRM: разрешите доступ, и она вернёт вас сюда"
      >
        <form noValidate onSubmit={submit}>
          <FormError error={refused?.error} />
          <ol className="mt-1 grid list-decimal gap-5 ps-5">
            <Step title="Укажите адрес вашего аккаунта">
              <Field
                label="Адрес аккаунта"
                required
                error={errors.host?.message}
                hint={`Скопируйте его из адресной строки ${CRM_NAMES[system]}`}
              >
                <Input inputMode="url" autoComplete="off" placeholder={`company.${system}.ru`} {...register("host")} />
              </Field>
            </Step>
            {asksKeys ? (
              <>
                <Step title="Создайте приложение">
                  <p className="text-md text-muted">{guide.make}</p>
                  {host === null ? (
                    <p className="text-sm text-subtle">Ссылка на нужную страницу появится здесь после шага 1.</p>
                  ) : (
                    <a
                      href={`https://${host}${guide.page}`}
                      target="_blank"
                      rel="noreferrer"
                      className="inline-flex items-center gap-1.5 font-medium text-md text-primary-text underline"
                    >
                      {guide.open}
                      <ExternalLink aria-hidden className="icon" />
                    </a>
                  )}
                </Step>
                <Step title="Дайте ему адрес перенаправления">
                  <p className="text-md text-muted">{guide.paste}</p>
                  <div className="flex flex-wrap items-end gap-2">
                    <Field label="Адрес перенаправления" className="flex-1 basis-56">
                      <Input readOnly value={overview.redirectUrl} onFocus={(event) => event.target.select()} />
                    </Field>
                    <CopyButton text={overview.redirectUrl} what="Адрес перенаправления" />
                  </div>
                </Step>
                <Step title="Скопируйте сюда его ключи">
                  <p className="text-md text-muted">{guide.keys}</p>
                  <Field label={guide.id} required error={errors.clientId?.message}>
                    <Input autoComplete="off" {...register("clientId")} />
                  </Field>
                  <Field label={guide.secret} required error={errors.clientSecret?.message}>
                    <PasswordInput what="введённое" autoComplete="off" {...register("clientSecret")} />
                  </Field>
                </Step>
              </>
            ) : (
              <Step title="Ключи приложения уже есть">
                <p className="text-md text-muted">
                  {ready
                    ? "Их задал тот, кто ведёт эту установку. Вводить ничего не нужно."
                    : "Они сохранены с прошлого входа. Вводить ничего не нужно."}
                </p>
                <Button size="sm" className="self-start" onClick={() => setReplacing(true)}>
                  {ready ? "Ввести свои ключи" : "Заменить ключи"}
                </Button>
              </Step>
            )}
            <Step title={`Нажмите «Перейти в ${CRM_NAMES[system]}» и разрешите доступ`} />
          </ol>
          {/* Always visible however many steps there are, and never below the window's edge. */}
          <DialogFooter className="sticky -bottom-6 -mb-6 border-t bg-surface pt-3 pb-6">
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

function Step({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <li>
      <h3 className="text-base">{title}</h3>
      {children && <div className="mt-2 flex flex-col gap-3">{children}</div>}
    </li>
  );
}
