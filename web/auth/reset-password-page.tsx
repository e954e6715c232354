import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { Link, useLocation, useSearch } from "wouter";
import * as z from "zod/mini";
import { MIN_PASSWORD_LENGTH, ResetInput, ResetResult, registrationApi } from "#contract/organizations/registration.ts";
import { call } from "#web/api/call.ts";
import { paths } from "#web/paths.ts";
import { useSession } from "#web/session/session.tsx";
import { AuthPage } from "#web/shell/public/auth-frame.tsx";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { AuthLink } from "./auth-link.tsx";
import { isLinkInvalid } from "./registration.ts";
import { toastFailure } from "./sign-in.ts";

/** A response without `startedClean` means that the account was kept. */
const ReadResult = z.extend(ResetResult, { startedClean: z.catch(z.boolean(), false) });
type Request = z.infer<typeof ResetInput>;

/** The page behind the link of the email: `/reset-password?token=…`. */
export default function ResetPasswordPage() {
  const search = new URLSearchParams(useSearch());
  const token = search.get("token") ?? "";
  const session = useSession();
  const [, navigate] = useLocation();
  const reset = useMutation({
    mutationFn: (input: Request) => call({ ...registrationApi.reset, output: ReadResult }, { input }),
    onSuccess: async ({ startedClean }) => {
      // The server has ended every session of the account, perhaps also the one of this browser.
      if (session.user) await session.refresh().catch(() => undefined);
      toast({
        title: "Пароль изменён",
        description: startedClean
          ? "Адрес раньше не был подтверждён, поэтому аккаунт начат заново. Войдите с новым паролем"
          : "Войдите с новым паролем",
      });
      navigate(paths.login);
    },
    onError: (error) => {
      if (!isLinkInvalid(error)) toastFailure("Не удалось изменить пароль", error);
    },
  });
  const dead = !ResetInput.shape.token.safeParse(token).success || isLinkInvalid(reset.error);
  return (
    <AuthPage
      title="Новый пароль"
      description={dead ? undefined : "После смены пароля вход на всех устройствах нужно выполнить заново"}
      links={<AuthLink to={paths.login}>Вернуться ко входу</AuthLink>}
    >
      {!dead && search.get("clean") === "1" && <StartsClean />}
      {dead ? <DeadLink /> : <PasswordForm token={token} send={reset.mutate} busy={reset.isPending} />}
    </AuthPage>
  );
}

function PasswordForm({ token, send, busy }: { token: string; send: (input: Request) => void; busy: boolean }) {
  const { register, handleSubmit, formState } = useForm<Request>({
    resolver: standardSchemaResolver(ResetInput),
    defaultValues: { token, password: "" },
  });
  const { password: wrong } = formState.errors;
  return (
    <form noValidate onSubmit={handleSubmit((values) => send(values))} className="flex flex-col gap-4">
      <Field
        label="Новый пароль"
        required
        error={wrong?.message}
        hint={wrong ? undefined : `Минимум ${MIN_PASSWORD_LENGTH} символов`}
      >
        <PasswordInput required autoComplete="new-password" {...register("password")} />
      </Field>
      <Button type="submit" variant="primary" busy={busy}>
        {busy ? "Сохранение..." : "Сохранить пароль"}
      </Button>
    </form>
  );
}

function StartsClean() {
  return (
    <p role="note" className="mb-4 rounded-lg bg-warning-soft px-4 py-3 text-md text-warning-text">
      Этот адрес ни&nbsp;разу не&nbsp;был подтверждён. С&nbsp;новым паролем аккаунт начнётся заново: всё, что в&nbsp;нём
      успели создать, будет удалено. Если регистрировались вы и&nbsp;хотите всё сохранить, войдите с&nbsp;прежним
      паролем и&nbsp;подтвердите адрес.
    </p>
  );
}

function DeadLink() {
  return (
    <div role="alert" className="flex flex-col items-start gap-4">
      <p>Ссылка недействительна или устарела. Она действует 1&nbsp;час и только один раз.</p>
      <Button asChild variant="primary">
        <Link href={paths.forgotPassword}>Запросить новую ссылку</Link>
      </Button>
    </div>
  );
}
