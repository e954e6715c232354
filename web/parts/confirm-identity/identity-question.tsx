import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Fingerprint } from "lucide-react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { accountApi } from "#contract/organizations/account.ts";
import { platformApi } from "#contract/organizations/auth.ts";
import { TotpCode } from "#contract/organizations/second-step.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { askForPasskey } from "#web/session/passkey.ts";
import { passkeysWork } from "#web/session/passkeys-work.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { Dialog, DialogClose, DialogContent, DialogFooter } from "#web/ui/overlays/dialog.tsx";

interface IdentityQuestionProps {
  confirmed: () => void;
  left: () => void;
}

export default function IdentityQuestion({ confirmed, left }: IdentityQuestionProps) {
  const security = useQuery(queryOf(accountApi.security)).data;
  const config = useQuery(queryOf(platformApi.config)).data;
  const byPasskey = security !== undefined && security.passkeys.length > 0 && passkeysWork(config?.passkeyHost);
  const way = security?.hasPassword ? "password" : security?.totp.enabledAt ? "code" : undefined;
  const passkey = useMutation({
    mutationFn: async () => {
      const credential = await askForPasskey(await call(accountApi.confirmOptions));
      return call(accountApi.confirm, { input: { passkey: credential } });
    },
    onSuccess: confirmed,
  });
  return (
    <Dialog open onOpenChange={(open) => !open && left()}>
      <DialogContent
        size="sm"
        title="Подтвердите, что это вы"
        description="С последнего входа прошло больше 10 минут, а действие касается защиты аккаунта или всех ваших данных."
      >
        {way && <ProofForm way={way} confirmed={confirmed} />}
        {byPasskey && (
          <Button className="mt-3" busy={passkey.isPending} onClick={() => passkey.mutate()}>
            <Fingerprint aria-hidden className="icon" />
            Подтвердить ключом доступа
          </Button>
        )}
        <FormError error={passkey.error} />
        {!way && !byPasskey && (
          <p className="text-md">Выйдите и войдите через Telegram ещё раз, затем повторите действие.</p>
        )}
      </DialogContent>
    </Dialog>
  );
}

const SCHEMAS = {
  password: z.object({ proof: z.string().check(z.minLength(1, "Введите пароль"), z.maxLength(256)) }),
  code: z.object({ proof: TotpCode }),
};

function ProofForm({ way, confirmed }: { way: "password" | "code"; confirmed: () => void }) {
  const confirm = useMutation({
    mutationFn: (proof: string) => call(accountApi.confirm, { input: { [way]: proof } }),
    onSuccess: confirmed,
  });
  const { register, handleSubmit, formState } = useForm<{ proof: string }>({
    resolver: standardSchemaResolver(SCHEMAS[way]),
    defaultValues: { proof: "" },
  });
  const wrong = formState.errors.proof?.message;
  return (
    <form noValidate onSubmit={handleSubmit(({ proof }) => confirm.mutate(proof))} className="flex flex-col gap-4">
      <Field label={way === "password" ? "Ваш пароль" : "Код из приложения"} required error={wrong}>
        {way === "password" ? (
          <PasswordInput autoComplete="current-password" {...register("proof")} />
        ) : (
          <Input autoComplete="one-time-code" inputMode="numeric" {...register("proof")} />
        )}
      </Field>
      <FormError error={confirm.error} />
      <DialogFooter className="mt-2!">
        <DialogClose asChild>
          <Button>Отмена</Button>
        </DialogClose>
        <Button type="submit" variant="primary" busy={confirm.isPending}>
          Подтвердить
        </Button>
      </DialogFooter>
    </form>
  );
}
