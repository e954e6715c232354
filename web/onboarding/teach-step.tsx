import { useEffect } from "react";
import type { FirstAnswer } from "#contract/conversations/first-answer.ts";
import type { Twin } from "#contract/twins.ts";
import { Button } from "#web/ui/button.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { ProgressLine } from "./progress-line.tsx";
import { SideBySide } from "./side-by-side.tsx";
import { StepCard } from "./step-card.tsx";
import { Taught } from "./taught.tsx";
import { TeachForm } from "./teach-form.tsx";
import { ANY_PAIR, useAcceptCorrection, useWeakestAnswer } from "./teach-queries.ts";
import type { OnboardingAddress } from "./use-onboarding-address.ts";

const FORM = "onboarding-teach";

interface TeachStepProps extends Pick<OnboardingAddress, "pairId" | "talkId" | "teachId" | "lessonId" | "change"> {
  twin: Twin;
}

/** What the twin knows least of, with what its owner has really answered filled in: one press and it is learnt. */
export function TeachStep({ twin, pairId, talkId, teachId, lessonId, change }: TeachStepProps) {
  const { data, error, isFetching, refetch } = useWeakestAnswer(twin.id, { teachId, pairId, talkId });
  const lesson = useAcceptCorrection(twin.id, { ...data, lessonId }, (id) => change({ lesson: id }));
  const { pair, reply } = data ?? {};
  useEffect(() => {
    if (pair && teachId === ANY_PAIR) change({ teach: pair.id });
  }, [pair, teachId, change]);
  const open = pair && reply && !lesson.learnt;
  const goOn = () => change({ step: "4", teach: null, lesson: null }, { push: true });
  return (
    <StepCard
      title="Первый ответ"
      description={data === undefined ? "Теперь то, чего двойник пока не знает." : saysOf(data)}
      actions={
        <>
          {open && (
            <Button
              type="submit"
              form={FORM}
              variant="primary"
              className="max-sm:w-full"
              busy={lesson.accept.isPending}
              disabled={lesson.proposal.data === undefined}
            >
              {lesson.accept.isPending ? "Запоминаем..." : "Научить"}
            </Button>
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
    >
      {data === undefined && isFetching && <ProgressLine>Ищем, чего двойник пока не знает...</ProgressLine>}
      {error && !isFetching && (
        <ErrorCard
          title="Не удалось найти такое сообщение"
          error={error}
          onRetry={() => {
            // The pair may be gone since: then it is another that is shown.
            if (teachId === ANY_PAIR) void refetch();
            else change({ teach: ANY_PAIR, lesson: null });
          }}
        />
      )}
      {pair && reply && (
        <SideBySide pair={pair} reply={reply} twin={twin}>
          {lesson.learnt ? (
            <Taught
              twinId={twin.id}
              text={lesson.lesson?.text ?? pair.ownerReply}
              scope={lesson.lesson?.scope}
              taking={lesson.remove.isPending}
              onTakeBack={lesson.lesson && lesson.takeBack}
            />
          ) : lesson.proposal.isError ? (
            <ErrorCard
              title="Не удалось подготовить урок"
              error={lesson.proposal.error}
              onRetry={() => void lesson.proposal.refetch()}
            />
          ) : lesson.proposal.data ? (
            <TeachForm
              key={pair.id}
              id={FORM}
              proposal={lesson.proposal.data}
              error={lesson.accept.error}
              onTeach={lesson.teach}
            />
          ) : (
            <LoadingStatus>Загрузка...</LoadingStatus>
          )}
        </SideBySide>
      )}
    </StepCard>
  );
}

function saysOf({ pair, reply, taught }: FirstAnswer): string {
  if (pair === null || reply === null) return "Других сообщений в переписке нет: проверять пока нечего.";
  if (taught) return "Этому вы двойника научили. Проверить его можно в тестовом чате.";
  if (reply.basis === "unknown")
    return "А этого двойник пока не знает. Вот ваш настоящий ответ: научите его одним нажатием.";
  if (reply.basis === "quoted")
    return "Точного ответа на это двойник не знает. Вот ваш настоящий ответ: научите его одним нажатием.";
  return "Такого, чего двойник не знает, среди проверенных сообщений нет. Здесь он уверен меньше всего: если ответ не тот, научите его своему.";
}
