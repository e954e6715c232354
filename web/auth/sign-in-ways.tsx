import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { useSearch } from "wouter";
import { platformApi } from "#contract/organizations/auth.ts";
import { queryOf } from "#web/api/query.ts";
import { paths } from "#web/paths.ts";
import { passkeysWork } from "#web/session/passkeys-work.ts";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { saveToastForReload } from "#web/ui/toasts/saved-toast.ts";
import { EmailLogin } from "./email-login.tsx";
import { useTelegramLogin } from "./sign-in.ts";
import { documentAllowsWidget, TelegramWidget } from "./telegram-widget.tsx";
import { useTelegramReturn } from "./use-telegram-return.ts";

const DemoButtons = lazy(() => import("./demo-buttons.tsx"));
const PasskeyLogin = lazy(() => import("./passkey-login.tsx"));
const SecondStep = lazy(() => import("./second-step.tsx"));

interface SignInWaysProps {
  typing: boolean;
  onTyping: (typing: boolean) => void;
  /** Content for users without an account, below the ways to sign in. */
  children: ReactNode;
}

/** The ways to sign in that this server offers. An email address and a password always work. */
export function SignInWays({ typing, onTyping, children }: SignInWaysProps) {
  const config = useQuery(queryOf(platformApi.config));
  const [challenge, setChallenge] = useState<string>();
  const telegram = useTelegramLogin(setChallenge);
  useTelegramReturn(telegram.mutate);
  const search = useSearch();
  const bot = config.data?.telegramBot ?? null;
  const demo = config.data?.demo ?? false;

  // A user who is already typing must not lose the input to a new document; only the email form is then shown.
  const widgetNeedsDocument = bot !== null && !documentAllowsWidget();
  const documentNeeded = widgetNeedsDocument && !typing;
  const shownBot = widgetNeedsDocument ? null : bot;
  useEffect(() => {
    if (!documentNeeded) return;
    // The delay lets the toast that explains why a session ended appear first; it must survive the reload.
    const timer = setTimeout(() => {
      saveToastForReload();
      location.replace(paths.login + (search && `?${search}`));
    });
    return () => clearTimeout(timer);
  }, [documentNeeded, search]);

  if (challenge !== undefined) {
    return (
      <Suspense fallback={<LoadingStatus className="min-h-40">Загрузка...</LoadingStatus>}>
        <SecondStep challenge={challenge} onCancel={() => setChallenge(undefined)} />
      </Suspense>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      {shownBot !== null ? (
        <div className="flex flex-col gap-2">
          <TelegramWidget bot={shownBot} />
          <p className="text-balance text-center text-muted text-sm">
            Рекомендуем: без пароля, и&nbsp;ваши данные полностью отделены от&nbsp;чужих.
          </p>
        </div>
      ) : documentNeeded || config.isPending ? (
        <Skeleton className="h-control" />
      ) : (
        <TelegramUnavailable />
      )}
      {telegram.isPending && <LoadingStatus>Авторизация через Telegram...</LoadingStatus>}
      {demo && (
        <Suspense fallback={<ComingDemo />}>
          <DemoButtons signIn={telegram.mutate} busy={telegram.isPending} />
        </Suspense>
      )}
      {config.isPending && likelyDemo && <ComingDemo />}
      <Divider />
      {/* Email sign-in works on every server, so it is shown without waiting. The filled button is Telegram's widget. */}
      <EmailLogin
        variant={bot === null ? "primary" : "outline"}
        disabled={telegram.isPending}
        onOpen={onTyping}
        askCode={setChallenge}
      />
      <Suspense fallback={<Skeleton className="h-control" />}>
        {passkeysWork(config.data?.passkeyHost) && <PasskeyLogin disabled={telegram.isPending} />}
      </Suspense>
      {children}
    </div>
  );
}

/** Shown in place of the widget on a server without a Telegram bot. */
function TelegramUnavailable() {
  return (
    <p id="telegram-login-container" className="text-center text-muted text-sm">
      Вход через Telegram пока недоступен
    </p>
  );
}

function Divider() {
  return (
    <div className="flex items-center gap-4 text-md text-muted">
      <span aria-hidden className="h-px flex-1 bg-border" />
      или
      <span aria-hidden className="h-px flex-1 bg-border" />
    </div>
  );
}

/** Whether to reserve space for the demo button, because a local server is usually a demo. It affects only the layout. */
const likelyDemo = /^(?:localhost|127\.|\[::1\])/.test(location.hostname);

function ComingDemo() {
  return <Skeleton className="h-34" />;
}
