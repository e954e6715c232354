import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useForm } from "react-hook-form";
import { type AccountSecurity, accountApi, PasswordChangeInput } from "#contract/organizations/account.ts";
import { MIN_PASSWORD_LENGTH } from "#contract/organizations/registration.ts";
import { ApiError, codeOf, messageOf } from "#web/api/api-error.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { SettingRow } from "#web/ui/layout/settings-group.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { MissingRow } from "./missing-row.tsx";

/** The form replaces the row when opened: a password rarely changes, and two empty fields would look incomplete. */
export function PasswordRow({ security }: { security: AccountSecurity }) {
  const [changing, setChanging] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  if (!security.hasPassword) {
    return (
      <MissingRow id="password" title="Пароль">
        Вы входите через Telegram, пароля у аккаунта нет.
      </MissingRow>
    );
  }
  /** Closing the form removes the focused button, so the focus returns to the one that opened it. */
  function end() {
    flushSync(() => setChanging(false));
    opener.current?.focus();
  }
  return (
    <SettingRow
      id="password"
      title="Пароль"
      about="После смены вход на других устройствах нужно выполнить заново"
      action={
        !changing && (
          <Button ref={opener} onClick={() => setChanging(true)}>
            Сменить пароль
          </Button>
        )
      }
    >
      {changing && <PasswordForm email={security.email ?? ""} onEnd={end} />}
    </SettingRow>
  );
}

function PasswordForm({ email, onEnd }: { email: string; onEnd: () => void }) {
  const { register, handleSubmit, formState, setError, setFocus } = useForm<PasswordChangeInput>({
    resolver: standardSchemaResolver(PasswordChangeInput),
    defaultValues: { currentPassword: "", newPassword: "" },
  });
  const change = useMutation({
    mutationFn: (input: PasswordChangeInput) => call(accountApi.password, { input }),
    onSuccess: () => {
      onEnd();
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
  // A user who opened the form wants to type.
  useEffect(() => setFocus("currentPassword"), [setFocus]);
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
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={change.isPending}>
          {change.isPending ? "Сохранение..." : "Сменить пароль"}
        </Button>
        <Button variant="ghost" onClick={onEnd}>
          Отмена
        </Button>
      </div>
    </form>
  );
}
