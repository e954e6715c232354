import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useForm } from "react-hook-form";
import { accountApi, TotpCodeInput } from "#contract/organizations/account.ts";
import { messageOf } from "#web/api/api-error.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import QrCode from "#web/ui/figures/qr-code.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Dialog, DialogClose, DialogContent, DialogFooter } from "#web/ui/overlays/dialog.tsx";
import { useSensitive } from "./queries.ts";

interface TotpDialogProps {
  secret: string;
  uri: string;
  onClose: () => void;
  onEnabled: (codes: string[]) => void;
}

export default function TotpDialog({ secret, uri, onClose, onEnabled }: TotpDialogProps) {
  const enable = useSensitive((code: string) => call(accountApi.totpConfirm, { input: { code } }), {
    failure: "",
    quiet: true,
  });
  const { register, handleSubmit, formState, setError } = useForm<{ code: string }>({
    resolver: standardSchemaResolver(TotpCodeInput),
    defaultValues: { code: "" },
  });
  const submit = handleSubmit(({ code }) =>
    enable.mutate(code, {
      onSuccess: ({ recoveryCodes }) => onEnabled(recoveryCodes),
      onError: (error) => setError("code", { message: messageOf(error) }, { shouldFocus: true }),
    }),
  );
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="Включить вход по коду"
        description="Наведите приложение для кодов на рисунок или введите в нём ключ"
      >
        <form noValidate onSubmit={submit} className="flex flex-col gap-4">
          <div className="flex flex-col items-center gap-4 sm:flex-row sm:items-start">
            <QrCode text={uri} label="QR-код с ключом для приложения" />
            <div className="min-w-0 text-md">
              <p className="text-muted">Ключ для ввода вручную</p>
              <code className="my-1 block font-mono text-sm [overflow-wrap:anywhere]">
                {secret.match(/.{1,4}/g)?.join(" ")}
              </code>
              <CopyButton text={secret} what="ключ" />
            </div>
          </div>
          <Field
            label="Код из приложения"
            required
            error={formState.errors.code?.message}
            hint={formState.errors.code ? undefined : "Шесть цифр. Вход по коду включится после верного кода."}
          >
            <Input
              autoComplete="one-time-code"
              inputMode="numeric"
              className="font-mono tracking-widest"
              {...register("code")}
            />
          </Field>
          <DialogFooter className="mt-2!">
            <DialogClose asChild>
              <Button>Отмена</Button>
            </DialogClose>
            <Button type="submit" variant="primary" busy={enable.isPending}>
              Включить
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
