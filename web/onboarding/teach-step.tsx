import { useEffect } from "react";
import type { FirstAnswer } from "#contract/conversations/first-answer.ts";
import type { Twin } from "#contract/twins.ts";
import { sharedWithEveryoneText } from "#web/parts/corrections/correction-words.ts";
import { Button } from "#web/ui/button.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { SideBySide } from "./answers/side-by-side.tsx";
import { ProgressLine } from "./progress-line.tsx";
import { StepCard } from "./step-card.tsx";
import { TaughtConfirmation } from "./taught-confirmation.tsx";
import { TeachForm } from "./teach-form.tsx";
import { ANY_PAIR, teachIdOf, useAcceptCorrection, useWeakestAnswer } from "./teach-queries.ts";
import type { OnboardingAddress } from "./use-onboarding-address.ts";

const FORM = "onboarding-teach";

interface TeachStepProps
  extends Pick<OnboardingAddress, "pairId" | "conversationId" | "teachId" | "correctionId" | "change"> {
  twin: Twin;
}

/** Shows the question that the twin answers worst, with the owner's own past answer filled in, so that one click teaches it. */
export function TeachStep({ twin, pairId, conversationId, teachId, correctionId, change }: TeachStepProps) {
  const { data, error, isFetching, refetch } = useWeakestAnswer(twin.id, { teachId, pairId, conversationId });
  const teaching = useAcceptCorrection(twin.id, { ...data, correctionId }, (id) => change({ correction: id }));
  const { pair = null, question, reply } = data ?? {};
  useEffect(() => {
    if (data?.reply && teachId === ANY_PAIR) change({ teach: teachIdOf(data) });
  }, [data, teachId, change]);
  const open = reply && !teaching.learnt;
  // A question from outside the history has no known answer of the owner and no contact.
  const proposal = pair === null ? { ...OWN_WORDS, question: question ?? "" } : teaching.proposal.data;
  const goOn = () => change({ step: "4", teach: null, correction: null }, { push: true });
  return (
    <StepCard
      title="Первый ответ"
      description={data === undefined ? "Теперь то, чего двойник пока не знает." : saysOf(data)}
      actions={
        <>
          {open && (
            <>
              <Button
                type="submit"
                form={FORM}
                {...(pair === null ? { value: "everybody" } : {})}
                variant="primary"
                className="max-sm:w-full"
                busy={teaching.accept.isPending}
                disabled={proposal === undefined}
              >
                {teaching.accept.isPending ? "Запоминаем..." : "Научить"}
              </Button>
              {pair !== null && (
                <Button
                  type="submit"
                  form={FORM}
                  value="everybody"
                  className="max-sm:w-full"
                  disabled={proposal === undefined || teaching.accept.isPending}
                >
                  Научить для всех
                </Button>
              )}
            </>
          )}
          <Button
            variant={open ? "ghost" : "primary"}
            className="max-sm:w-full"
            disabled={data === undefined && isFetching}
            onClick={goOn}
          >
            {open ? "Пропустить пока" : "Продолжить"}
          </Button>
        </>
      }
      note={
        Boolean(open && teaching.proposal.data) &&
        `Научить: так двойник ответит только собеседнику ${teaching.proposal.data?.contactName ?? ""}. ${sharedWithEveryoneText("Научить для всех", teaching.proposal.data?.people)}`
      }
    >
      <ProgressLine>
        {data === undefined && isFetching
          ? "Looking for what your twin does not know yet..."
          : open
            ? "Waiting for your lesson..."
            : "The lesson is over, your feedback is next..."}
      </ProgressLine>
      {error && !isFetching && (
        <ErrorCard
          title="Не удалось найти такое сообщение"
          error={error}
          onRetry={() => {
            // The pair may have been deleted since, in which case another one is shown.
            if (teachId === ANY_PAIR) void refetch();
            else change({ teach: ANY_PAIR, correction: null });
          }}
        />
      )}
      {reply && (
        <SideBySide pair={pair} question={question} reply={reply} twin={twin}>
          {teaching.learnt ? (
            <TaughtConfirmation
              twinId={twin.id}
              text={teaching.correction?.text ?? pair?.ownerReply ?? ""}
              scope={teaching.correction?.scope}
              taking={teaching.remove.isPending}
              onTakeBack={teaching.correction && teaching.takeBack}
            />
          ) : teaching.proposal.isError ? (
            <ErrorCard
              title="Не удалось подготовить урок"
              error={teaching.proposal.error}
              onRetry={() => void teaching.proposal.refetch()}
            />
          ) : proposal ? (
            <TeachForm
              key={teachId}
              id={FORM}
              proposal={proposal}
              error={teaching.accept.error}
              onTeach={teaching.teach}
            />
          ) : (
            <LoadingStatus>Загрузка...</LoadingStatus>
          )}
        </SideBySide>
      )}
    </StepCard>
  );
}

/** Initial correction when no answer of the owner is known. */
const OWN_WORDS = { suggested: "fact", text: "", personal: null } as const;

function saysOf({ pair, reply, taught }: FirstAnswer): string {
  if (reply === null) return "Других сообщений в переписке нет: проверять пока нечего.";
  if (taught) return "Этому вы двойника научили.";
  if (pair === null)
    return "А этого двойник пока не знает и честно говорит об этом. Напишите ответ: он запомнит его сразу и для всех.";
  if (reply.basis === "unknown")
    return "А этого двойник пока не знает. Вот ваш настоящий ответ: научите его одним нажатием.";
  if (reply.basis === "quoted")
    return "Точного ответа на это двойник не знает. Вот ваш настоящий ответ: научите его одним нажатием.";
  return "Такого, чего двойник не знает, среди проверенных сообщений нет. Здесь он уверен меньше всего: если ответ не тот, научите его своему.";
}
