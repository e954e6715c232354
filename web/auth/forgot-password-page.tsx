import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import type * as z from "zod/mini";
import type { MailTransport } from "#contract/organizations/auth.ts";
import { ForgotInput, registrationApi } from "#contract/organizations/registration.ts";
import { call } from "#web/api/call.ts";
import { NO_LETTER } from "#web/letter-words.ts";
import { paths } from "#web/paths.ts";
import { AuthPage } from "#web/shell/public/auth-frame.tsx";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { AuthLink } from "./auth-link.tsx";
import { toastFailure } from "./sign-in.ts";

type Request = z.infer<typeof ForgotInput>;

export default function ForgotPasswordPage() {
  const forgot = useMutation({
    mutationFn: (input: Request) => call(registrationApi.forgot, { input }),
    onError: (error) => toastFailure("Не удалось отправить письмо", error),
  });
  return (
    <AuthPage
      title="Восстановление пароля"
      description="Отправим письмо со ссылкой, по которой можно задать новый пароль"
      links={<AuthLink to={paths.login}>Вернуться ко входу</AuthLink>}
    >
      {forgot.isSuccess ? (
        <Sent email={forgot.variables.email} way={forgot.data.letter} again={forgot.reset} />
      ) : (
        <EmailForm send={forgot.mutate} busy={forgot.isPending} />
      )}
    </AuthPage>
  );
}

function EmailForm({ send, busy }: { send: (input: Request) => void; busy: boolean }) {
  const { register, handleSubmit, formState, setFocus } = useForm<Request>({
    resolver: standardSchemaResolver(ForgotInput),
    defaultValues: { email: "" },
  });
  useEffect(() => setFocus("email"), [setFocus]);
  return (
    <form noValidate onSubmit={handleSubmit((values) => send(values))} className="flex flex-col gap-4">
      <Field label="Email" required error={formState.errors.email?.message}>
        <Input type="email" required autoComplete="username" inputMode="email" {...register("email")} />
      </Field>
      <Button type="submit" variant="primary" busy={busy}>
        {busy ? "Отправка..." : "Отправить письмо"}
      </Button>
    </form>
  );
}

/** The text is the same whether or not the account exists, so that strangers cannot learn who is registered. */
function Sent({ email, way, again }: { email: string; way: MailTransport; again: () => void }) {
  const address = <strong className="break-all font-semibold">{email}</strong>;
  return (
    <div className="flex flex-col items-start gap-4">
      {way === "mail" ? (
        <p role="status">
          Если аккаунт с адресом {address} есть, письмо уже в пути. Ссылка в нём действует 1&nbsp;час. Если письма нет,
          проверьте папку «Спам».
        </p>
      ) : (
        <p role="status">
          {NO_LETTER} Если аккаунт с адресом {address} есть, ссылку для нового пароля передаст администратор платформы:
          обратитесь к&nbsp;нему. Она действует 1&nbsp;час.
        </p>
      )}
      <Button onClick={again}>Указать другой адрес</Button>
    </div>
  );
}
