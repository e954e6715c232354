import { RefreshCw } from "lucide-react";
import { useEffect } from "react";
import type { Twin } from "#contract/twins.ts";
import { ApiError } from "#web/api/api-error.ts";
import { Button } from "#web/ui/button.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { LiveQuestion } from "./live-question.tsx";
import { ProgressLine } from "./progress-line.tsx";
import { useFirstAnswer, useNextAnswer } from "./queries.ts";
import { SideBySide } from "./side-by-side.tsx";
import { StepCard } from "./step-card.tsx";
import { ANY_PAIR } from "./teach-queries.ts";
import type { OnboardingAddress } from "./use-onboarding-address.ts";

interface FirstAnswerStepProps extends Pick<OnboardingAddress, "pairId" | "conversationId" | "replyId" | "change"> {
  twin: Twin;
}

/** What the twin answers to a message of the history, beside what its owner has answered; without history, to a question. */
export function FirstAnswerStep({ twin, pairId, conversationId, replyId, change }: FirstAnswerStepProps) {
  // A question that was asked live stays the one that is judged.
  const live = pairId === "" && replyId !== "";
  const { data, error, isFetching, refetch } = useFirstAnswer(twin.id, pairId, !live);
  const next = useNextAnswer(twin.id);
  const { pair, reply } = data ?? {};
  useEffect(() => {
    if (!pair || !reply || reply.messageId === replyId) return;
    change({ pair: pair.id, talk: reply.conversationId, reply: reply.messageId });
  }, [pair, reply, replyId, change]);

  function another() {
    if (!pair || !reply) return;
    next.mutate(
      { pairId: pair.id, conversationId: reply.conversationId },
      {
        onSuccess: (answer) => answer.pair && change({ pair: answer.pair.id }),
        onError: toastError("Ошибка генерации"),
      },
    );
  }

  // Letters of a colleague's twin are not there for anyone but its owner: questions can be asked all the same.
  const closed = error instanceof ApiError && error.status === 404;
  const asking = live || closed || data?.pair === null;
  const working = (!data && isFetching && !live) || next.isPending;
  return (
    <StepCard
      title="Первый ответ"
      description={
        asking
          ? "Подходящей переписки пока нет: спросите двойника сами, он ответит сразу."
          : "Настоящее сообщение из вашей переписки: ответ двойника рядом с вашим."
      }
      actions={
        <>
          <Button
            variant="primary"
            className="max-sm:w-full"
            disabled={replyId === "" || working}
            onClick={() => change(asking ? { step: "4" } : { teach: ANY_PAIR }, { push: true })}
          >
            Продолжить
          </Button>
          {data?.more && !live && (
            <Button className="max-sm:w-full" disabled={working} onClick={another}>
              <RefreshCw aria-hidden className="icon" />
              Другое сообщение
            </Button>
          )}
          <Button variant="ghost" className="max-sm:w-full" onClick={() => change({ step: "4" }, { push: true })}>
            Пропустить пока
          </Button>
        </>
      }
    >
      {working && <ProgressLine>Готовим первый ответ...</ProgressLine>}
      {error && !closed && !live && !isFetching && (
        <ErrorCard
          title="Не удалось получить ответ двойника"
          error={error}
          onRetry={() => {
            // The pair may be gone since: then it is another that is shown.
            if (pairId) change({ pair: null, talk: null, reply: null });
            else void refetch();
          }}
        />
      )}
      {asking && (
        <ProgressLine done={replyId !== ""}>
          {replyId === "" ? "Waiting for your question..." : "First answer ready"}
        </ProgressLine>
      )}
      {asking ? (
        <LiveQuestion twin={twin} conversationId={conversationId} replyId={replyId} change={change} />
      ) : (
        pair && reply && <SideBySide pair={pair} reply={reply} twin={twin} faded={next.isPending} />
      )}
    </StepCard>
  );
}
