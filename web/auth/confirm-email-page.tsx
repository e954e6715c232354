import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { Link, useSearch } from "wouter";
import { ConfirmInput, registrationApi } from "#contract/organizations/registration.ts";
import { call } from "#web/api/call.ts";
import { loginWithReturn, paths } from "#web/paths.ts";
import { useSession } from "#web/session/session.tsx";
import { AuthPage } from "#web/shell/public/auth-frame.tsx";
import { Button } from "#web/ui/button.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { isConfirmationOfOtherUser, isLinkInvalid } from "./registration.ts";
import { ResendConfirmation } from "./resend-confirmation.tsx";

const BecomeAdministrator = lazy(() => import("#web/parts/installation/become-administrator.tsx"));

/**
 * The page behind the link of the confirmation email: `/confirm-email?token=…`. Opening it signed in confirms. Without a token a
 * signed-in user can request another email there.
 */
export default function ConfirmEmailPage() {
  const token = new URLSearchParams(useSearch()).get("token") ?? "";
  const whole = ConfirmInput.safeParse({ token }).success;
  // A query, not a mutation, because the link works once and a query is sent once however often the component renders. It is not
  // aborted either, because the link would be used up without showing the result.
  const confirm = useQuery({
    queryKey: ["confirm-email", token],
    queryFn: () => call(registrationApi.confirm, { input: { token } }),
    enabled: whole,
  });
  const { state, user, refresh } = useSession();
  const unconfirmed = user?.emailConfirmed === false;
  const waitsFor = unconfirmed ? user.email : null;
  useEffect(() => {
    // The sign-in stays valid even when refreshing the user fails.
    if (confirm.isSuccess && unconfirmed) refresh().catch(() => undefined);
  }, [confirm.isSuccess, unconfirmed, refresh]);

  return (
    <AuthPage title="Подтверждение email">
      {confirm.isSuccess ? (
        <Outcome role="status" text={CONFIRMED} administers={user?.superAdmin} />
      ) : confirm.isLoading ? (
        <LoadingStatus className="justify-start!">Подтверждаем адрес...</LoadingStatus>
      ) : state.status === "loading" ? (
        <LoadingStatus className="justify-start!">Проверка авторизации...</LoadingStatus>
      ) : isConfirmationOfOtherUser(confirm.error) ? (
        <OthersLink signedIn={user !== undefined} back={`${paths.confirmEmail}?token=${token}`} />
      ) : confirm.error && !isLinkInvalid(confirm.error) ? (
        <ErrorCard
          title="Не удалось подтвердить адрес"
          error={confirm.error}
          onRetry={() => void confirm.refetch()}
          className="border-0! p-0!"
        />
      ) : waitsFor ? (
        <ResendConfirmation email={waitsFor} linkFailed={token !== ""} />
      ) : token === "" && user?.emailConfirmed ? (
        <Outcome role="status" text="Адрес подтверждён." administers={user.superAdmin} />
      ) : (
        <Outcome
          role="alert"
          text="Ссылка недействительна или устарела. Если адрес уже подтверждён, делать ничего не нужно."
        />
      )}
    </AuthPage>
  );
}

/** Following the link is not enough to confirm, because another person may have registered with this address. */
function OthersLink({ signedIn, back }: { signedIn: boolean; back: string }) {
  return (
    <div role="alert" className="flex flex-col items-start gap-4">
      <p>
        {signedIn
          ? "Эта ссылка — для другого аккаунта. Выйдите, войдите в тот, который вы регистрировали с этим адресом, и откройте её ещё раз."
          : "Чтобы подтвердить адрес, войдите в аккаунт, который вы регистрировали."}
      </p>
      {!signedIn && (
        <Button asChild variant="primary">
          <Link href={loginWithReturn(back)}>Войти и подтвердить</Link>
        </Button>
      )}
      <p className="text-md text-muted">
        Регистрировались не&nbsp;вы? Ничего не&nbsp;делайте или{" "}
        <Link href={paths.forgotPassword} className="font-medium text-primary-text underline underline-offset-4">
          задайте свой пароль
        </Link>
        : тогда аккаунт станет вашим, а&nbsp;всё, что в&nbsp;нём успели создать, удалится.
      </p>
    </div>
  );
}

const CONFIRMED = "Адрес подтверждён. Спасибо!";

interface OutcomeProps {
  role: "status" | "alert";
  text: string;
  /** Whether the account now administers the installation; undefined when the question does not arise. */
  administers?: boolean | undefined;
}

function Outcome({ role, text, administers }: OutcomeProps) {
  return (
    <div className="flex flex-col items-start gap-4">
      <p role={role}>
        {text}
        {administers && " Вы администратор этой установки."}
      </p>
      {administers === false && (
        <Suspense>
          <BecomeAdministrator className="w-full" />
        </Suspense>
      )}
      <Button asChild variant="primary">
        <Link href={paths.home}>На главную</Link>
      </Button>
    </div>
  );
}
