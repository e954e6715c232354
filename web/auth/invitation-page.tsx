import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Link, useLocation, useSearch } from "wouter";
import * as z from "zod/mini";
import { type AcceptInput, type InvitationView, invitationsApi } from "#contract/organizations/organizations.ts";
import { MIN_PASSWORD_LENGTH, NewPassword, OneTimeToken } from "#contract/organizations/registration.ts";
import { call } from "#web/api/call.ts";
import { roleHints } from "#web/parts/members/role-names.ts";
import { paths } from "#web/paths.ts";
import { useSession } from "#web/session/session.tsx";
import { AuthPage } from "#web/shell/public/auth-frame.tsx";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { isLinkInvalid } from "./registration.ts";
import { toastFailure } from "./sign-in.ts";

export default function InvitationPage() {
  const token = new URLSearchParams(useSearch()).get("token") ?? "";
  const whole = OneTimeToken.safeParse(token).success;
  const invitation = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => call(invitationsApi.look, { input: { token } }),
    enabled: whole,
  });
  const { state, user, login } = useSession();
  const [, navigate] = useLocation();
  const accept = useMutation({
    mutationFn: (given: Omit<z.input<typeof AcceptInput>, "token">) =>
      call(invitationsApi.accept, { input: { token, ...given } }),
    onSuccess: (answer) => {
      toast({ title: "Успешный вход", description: "Добро пожаловать!" });
      login(answer);
      navigate(paths.home);
    },
    onError: (error) => {
      if (!isLinkInvalid(error)) toastFailure("Не удалось принять приглашение", error);
    },
  });
  const dead = !whole || isLinkInvalid(invitation.error) || isLinkInvalid(accept.error);
  const view = invitation.data;
  return (
    <AuthPage title="Приглашение">
      {dead ? (
        <DeadLink />
      ) : invitation.isError ? (
        <ErrorCard
          title="Не удалось открыть приглашение"
          error={invitation.error}
          onRetry={() => void invitation.refetch()}
          className="border-0! p-0!"
        />
      ) : view === undefined || state.status === "loading" ? (
        <LoadingStatus className="justify-start!">Открываем приглашение...</LoadingStatus>
      ) : (
        <div className="flex flex-col gap-5">
          <Facts view={view} />
          {user?.email === view.email ? (
            <Button variant="primary" busy={accept.isPending} onClick={() => accept.mutate({})}>
              {accept.isPending ? "Вход..." : "Принять приглашение"}
            </Button>
          ) : (
            <PasswordForm view={view} send={accept.mutate} busy={accept.isPending} />
          )}
        </div>
      )}
    </AuthPage>
  );
}

function Facts({ view }: { view: InvitationView }) {
  return (
    <p className="text-md">
      {view.firstName && `${view.firstName}, `}
      {view.firstName ? "вас" : "Вас"} пригласили в организацию{" "}
      <strong className="font-semibold [overflow-wrap:anywhere]">{view.organizationName}</strong>. Участник с вашей
      ролью {roleHints[view.role]}. Приглашение для <strong className="break-all font-semibold">{view.email}</strong>.
    </p>
  );
}

const PasswordValues = z.object({ password: NewPassword });

interface PasswordFormProps {
  view: InvitationView;
  send: (given: { password: string; startClean?: boolean }) => void;
  busy: boolean;
}

function PasswordForm({ view, send, busy }: PasswordFormProps) {
  const { register, handleSubmit, formState } = useForm<z.infer<typeof PasswordValues>>({
    resolver: standardSchemaResolver(PasswordValues),
    defaultValues: { password: "" },
  });
  const wrong = formState.errors.password?.message;
  const [anew, setAnew] = useState(false);
  const known = view.hasAccount && !anew;
  return (
    <form
      noValidate
      onSubmit={handleSubmit(({ password }) => send({ password, ...(anew ? { startClean: true } : {}) }))}
      className="flex flex-col gap-4"
    >
      {/* Tells password managers which account the password belongs to. */}
      <input type="email" name="email" autoComplete="username" value={view.email} readOnly hidden />
      {anew && (
        <p role="status" className="rounded-lg bg-warning-soft px-4 py-3 text-md text-warning-text">
          Аккаунт с&nbsp;этим адресом начнётся заново: всё, что в&nbsp;нём успел создать кто-то другой, будет удалено.
        </p>
      )}
      <Field
        label={known ? "Пароль вашего аккаунта" : "Придумайте пароль"}
        required
        error={wrong}
        hint={wrong || known ? undefined : `Минимум ${MIN_PASSWORD_LENGTH} символов`}
      >
        <PasswordInput required autoComplete={known ? "current-password" : "new-password"} {...register("password")} />
      </Field>
      <Button type="submit" variant="primary" busy={busy}>
        {busy ? "Вход..." : "Принять приглашение"}
      </Button>
      {view.mayStartClean && (
        <Button variant="ghost" className="self-start" onClick={() => setAnew(!anew)}>
          {anew ? "Войти с прежним паролем" : "Я не регистрировал этот аккаунт"}
        </Button>
      )}
      {known && (
        <p className="text-md text-muted">
          Не помните пароль?{" "}
          <Link href={paths.forgotPassword} className="font-medium text-primary-text underline underline-offset-4">
            Задайте новый
          </Link>
          , затем снова откройте эту ссылку.
        </p>
      )}
    </form>
  );
}

function DeadLink() {
  return (
    <div role="alert" className="flex flex-col items-start gap-4">
      <p>
        Приглашение недействительно или устарело. Оно действует 7&nbsp;дней и только один раз: попросите администратора
        организации прислать новое.
      </p>
      <Button asChild variant="primary">
        <Link href={paths.home}>На главную</Link>
      </Button>
    </div>
  );
}
