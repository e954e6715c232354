import { lazy, type RefObject, Suspense, useEffect, useId, useRef, useState } from "react";
import { useAddressState } from "#web/address-state.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { useSession } from "#web/session/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card, CardBody } from "#web/ui/layout/card.tsx";
import { Steps } from "#web/ui/layout/steps.tsx";
import { PlatformTile } from "#web/ui/platform-tile.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { ACCOUNT, CONNECT } from "../connect-account.ts";
import { useAccountDraft } from "./account-draft.ts";
import { CompleteStep, type ImportOutcome } from "./complete-step.tsx";
import { CredentialsStep } from "./credentials-step.tsx";
import { ImportingStep } from "./importing-step.tsx";
import { keepRunningImport, runningImport } from "./running-import.ts";
import { type CodeSession, type TelegramAccount, useImportData, useSendCode, useVerifyCode } from "./setup-queries.ts";
import { VerificationStep } from "./verification-step.tsx";

const DialogChoice = lazy(() => import("./dialog-choice.tsx"));

type Step =
  | { at: "credentials" }
  | { at: "verification"; account: TelegramAccount; session: CodeSession }
  | { at: "choosing"; integrationId: string }
  | { at: "importing"; integrationId: string; chosen: number | null }
  | { at: "complete"; outcome: ImportOutcome };

const UNASKED = { [CONNECT]: "" };

const stepNames = ["Учетные данные", "Подтверждение", "Импорт", "Готово"];
const order: readonly Step["at"][] = ["credentials", "verification", "importing", "complete"];

/** Connects a Telegram account: credentials, verification, importing, complete. Keys, codes and passwords are never stored. */
export function SetupWizard() {
  const id = useId();
  const { user } = useSession();
  const userId = user?.id ?? "";
  const [step, setStep] = useState<Step>(() => {
    const running = runningImport(userId);
    return running === null ? { at: "credentials" } : { at: "importing", ...running };
  });
  const twins = useTwins();
  const draft = useAccountDraft();
  const sendCode = useSendCode();
  const verifyCode = useVerifyCode();
  const importData = useImportData();
  const body = useFocusOnChange(step.at);
  useFocusWhenAsked(body);

  // An import that was started before the page was left or reloaded.
  const resumed = useRef(step.at === "importing" ? step.integrationId : null);
  useEffect(() => {
    if (resumed.current === null) return;
    const integrationId = resumed.current;
    resumed.current = null;
    wait({ integrationId, begun: true });
  });

  function request(account: TelegramAccount) {
    sendCode.mutate(account, {
      onSuccess: (session) => setStep({ at: "verification", account, session }),
    });
  }

  function verify(input: TelegramAccount & CodeSession, verificationCode: string, password: string, choosing: boolean) {
    verifyCode.mutate(
      { ...input, verificationCode, ...(password ? { password } : {}) },
      {
        onSuccess: ({ success, integration }) => {
          if (success === false) return;
          draft.clear();
          if (!integration?.id) setStep({ at: "complete", outcome: { kind: "none" } });
          else if (choosing) setStep({ at: "choosing", integrationId: integration.id });
          else load(integration.id);
        },
      },
    );
  }

  function load(integrationId: string, dialogs?: string[]) {
    const running = { integrationId, chosen: dialogs?.length ?? null };
    keepRunningImport(userId, running);
    setStep({ at: "importing", ...running });
    wait({ integrationId, ...(dialogs && { dialogs }) });
  }

  function wait(importing: Parameters<typeof importData.mutate>[0]) {
    const end = (outcome: ImportOutcome) => {
      keepRunningImport(userId, null);
      setStep({ at: "complete", outcome });
    };
    importData.mutate(importing, {
      onSuccess: (stats) => end({ kind: "done", stats }),
      onError: () => end({ kind: "failed" }),
    });
  }

  return (
    <Card aria-labelledby={id}>
      <header className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4 md:px-5">
        <PlatformTile platform="telegram" />
        <div className="min-w-0 flex-1 basis-48">
          <h2 id={id} className="text-base">
            Взять манеру из&nbsp;личного Telegram
          </h2>
          <p className="text-md text-muted">Войдите в&nbsp;аккаунт: двойник прочтёт переписку, которую вы выберете</p>
        </div>
      </header>
      <Steps
        label="Шаги подключения"
        names={stepNames}
        current={order.indexOf(step.at === "choosing" ? "importing" : step.at)}
        endsWithLast
        className="border-y px-4 py-4 md:px-5"
      />
      <CardBody>
        <div ref={body} tabIndex={-1} className="focus:outline-none">
          {step.at === "credentials" && (
            <CredentialsStep draft={draft} twins={twins} busy={sendCode.isPending} onRequest={request} />
          )}
          {step.at === "verification" && (
            <VerificationStep
              phoneNumber={step.account.phoneNumber}
              busy={verifyCode.isPending}
              onBack={() => setStep({ at: "credentials" })}
              onVerify={(...answers) => verify({ ...step.account, ...step.session }, ...answers)}
            />
          )}
          {step.at === "choosing" && (
            <Suspense fallback={<LoadingStatus className="min-h-40">Загружаем список диалогов...</LoadingStatus>}>
              <DialogChoice
                integrationId={step.integrationId}
                onStart={(dialogs) => load(step.integrationId, dialogs)}
                otherwise={
                  <Button onClick={() => setStep({ at: "complete", outcome: { kind: "none" } })}>
                    Продолжить без импорта
                  </Button>
                }
              />
            </Suspense>
          )}
          {step.at === "importing" && <ImportingStep integrationId={step.integrationId} chosen={step.chosen} />}
          {step.at === "complete" && (
            <CompleteStep outcome={step.outcome} onAgain={() => setStep({ at: "credentials" })} />
          )}
        </div>
      </CardBody>
    </Card>
  );
}

/** Moves the focus to the first heading or field of the next step, but not when the page opens. */
function useFocusOnChange(step: string) {
  const body = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    focusFirst(body.current);
  }, [step]);
  return body;
}

/** Handles «Войти заново» in a row of the list, which leads here and can be clicked repeatedly. */
function useFocusWhenAsked(body: RefObject<HTMLDivElement | null>) {
  const [search, change] = useAddressState(UNASKED);
  const asked = search.get(CONNECT) === ACCOUNT;
  useEffect(() => {
    if (!asked) return;
    change(UNASKED);
    focusFirst(body.current);
  }, [asked, change, body]);
}

function focusFirst(body: HTMLElement | null) {
  (body?.querySelector<HTMLElement>("input, select") ?? body)?.focus();
}
