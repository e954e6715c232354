import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import { EmailLoginInput } from "#contract/organizations/auth.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { AuthLink } from "./auth-link.tsx";
import { type AskCode, useEmailLogin } from "./sign-in.ts";

export default function EmailForm({ onCancel, askCode }: { onCancel: () => void; askCode: AskCode }) {
  const login = useEmailLogin(askCode);
  const { register, handleSubmit, formState, setFocus } = useForm<EmailLoginInput>({
    resolver: standardSchemaResolver(EmailLoginInput),
    defaultValues: { email: "", password: "" },
  });

  useEffect(() => setFocus("email"), [setFocus]);

  const submit = handleSubmit((values) =>
    // The address is most likely right, so a second try starts with the password.
    login.mutate(values, { onError: () => setFocus("password", { shouldSelect: true }) }),
  );

  return (
    <form noValidate onSubmit={submit} className="flex animate-fade-in flex-col gap-4">
      <Field label="Email" required error={formState.errors.email?.message}>
        <Input type="email" required autoComplete="username" inputMode="email" {...register("email")} />
      </Field>
      <Field label="Пароль" required error={formState.errors.password?.message}>
        <PasswordInput required autoComplete="current-password" {...register("password")} />
      </Field>
      <Button type="submit" variant="primary" busy={login.isPending}>
        {login.isPending ? "Вход..." : "Войти"}
      </Button>
      <div className="-mt-2 flex items-center justify-between gap-2">
        <AuthLink to={paths.forgotPassword}>Забыли пароль?</AuthLink>
        <Button variant="ghost" onClick={onCancel} disabled={login.isPending}>
          Отмена
        </Button>
      </div>
    </form>
  );
}
