import { lazy, Suspense } from "react";
import type { Twin } from "#contract/twins.ts";
import { TwinScreen } from "#web/parts/twins/twin-screen.tsx";
import { Page } from "#web/shell/page.tsx";
import { Steps } from "#web/ui/layout/steps.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { DataImportStep } from "./data-import-step.tsx";
import { type OnboardingAddress, useOnboardingAddress } from "./use-onboarding-address.ts";

const AnalysisStep = lazy(() => import("./analysis-step.tsx").then((code) => ({ default: code.AnalysisStep })));
const FirstAnswerStep = lazy(() =>
  import("./first-answer-step.tsx").then((code) => ({ default: code.FirstAnswerStep })),
);
const TeachStep = lazy(() => import("./teach-step.tsx").then((code) => ({ default: code.TeachStep })));
const FeedbackStep = lazy(() => import("./feedback-step.tsx").then((code) => ({ default: code.FeedbackStep })));

const stepNames = ["Импорт данных", "Анализ", "Первый ответ", "Обратная связь"];

export default function OnboardingPage() {
  const address = useOnboardingAddress();
  const { twinId, step } = address;
  return (
    <Page title="Знакомство с двойником" description="От вашей переписки до первого ответа за четыре шага">
      <div>
        <Steps label="Шаги знакомства" names={stepNames} current={step - 1} className="mb-6" />
        {twinId === "" ? (
          <DataImportStep {...address} />
        ) : (
          <TwinScreen id={twinId}>
            {(twin) => (
              <Suspense fallback={<LoadingStatus className="min-h-80">Загрузка...</LoadingStatus>}>
                <OneStep twin={twin} {...address} />
              </Suspense>
            )}
          </TwinScreen>
        )}
      </div>
    </Page>
  );
}

function OneStep({ step, ...rest }: OnboardingAddress & { twin: Twin }) {
  if (step === 3 && rest.teachId !== "") return <TeachStep {...rest} />;
  if (step === 3) return <FirstAnswerStep {...rest} />;
  if (step === 4) return <FeedbackStep {...rest} />;
  return <AnalysisStep {...rest} />;
}
