import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { type AccountSecurity, accountApi, PasswordChangeInput } from "#contract/organizations/account.ts";
import { MIN_PASSWORD_LENGTH } from "#contract/organizations/auth.ts";
import { ApiError, codeOf, messageOf } from "#web/api/api-error.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { MissingSection } from "./missing-section.tsx";

export function PasswordCard({ security }: { security: AccountSecurity }) {
  if (!security.hasPassword) {
    return (
      <MissingSection id="password" title="Пароль">
        Вы входите через Telegram, пароля у аккаунта нет.
      </MissingSection>
    );
  }
  return (
    <Card aria-labelledby="password">
      <CardHeader
        id="password"
        title="Пароль"
        description="После смены вход на других устройствах нужно выполнить заново"
      />
      <CardBody>
        <PasswordForm email={security.email ?? ""} />
      </CardBody>
    </Card>
  );
}

function PasswordForm({ email }: { email: string }) {
  const { register, handleSubmit, formState, setError, reset } = useForm<PasswordChangeInput>({
    resolver: standardSchemaResolver(PasswordChangeInput),
    defaultValues: { currentPassword: "", newPassword: "" },
  });
  const change = useMutation({
    mutationFn: (input: PasswordChangeInput) => call(accountApi.password, { input }),
    onSuccess: () => {
      reset();
      toast({ title: "Пароль изменён", description: "Остальные сеансы завершены" });
    },
    onError: (error) => {
      const fields = error instanceof ApiError ? error.serverMessage?.fields : undefined;
      if (codeOf(error) === "wrong_password") {
        setError("currentPassword", { message: "Неверный текущий пароль" }, { shouldFocus: true });
      } else if (fields?.newPassword ?? fields?.password) {
        setError("newPassword", { message: messageOf(error) }, { shouldFocus: true });
      } else toastError("Не удалось сменить пароль")(error);
    },
  });
  const { errors } = formState;
  return (
    <form
      noValidate
      onSubmit={handleSubmit((values) => change.mutate(values))}
      className="flex max-w-md flex-col gap-4"
    >
      {/* Tells password managers which account the password belongs to. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <Field label="Текущий пароль" required error={errors.currentPassword?.message}>
        <PasswordInput autoComplete="current-password" what="текущий пароль" {...register("currentPassword")} />
      </Field>
      <Field
        label="Новый пароль"
        required
        error={errors.newPassword?.message}
        hint={errors.newPassword ? undefined : `Минимум ${MIN_PASSWORD_LENGTH} символов`}
      >
        <PasswordInput autoComplete="new-password" what="новый пароль" {...register("newPassword")} />
      </Field>
      <Button type="submit" className="self-start" busy={change.isPending}>
        {change.isPending ? "Сохранение..." : "Сменить пароль"}
      </Button>
    </form>
  );
}
