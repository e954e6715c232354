import { RefreshCw } from "lucide-react";
import { useEffect } from "react";
import type { Twin } from "#contract/twins.ts";
import { ApiError } from "#web/api/api-error.ts";
import { useSession } from "#web/session/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { LiveQuestion } from "./answers/live-question.tsx";
import { SideBySide } from "./answers/side-by-side.tsx";
import { ProgressLine } from "./progress-line.tsx";
import { useExchange, useFirstAnswer, useNextAnswer } from "./queries.ts";
import { StepCard } from "./step-card.tsx";
import { ANY_PAIR, teachIdOf } from "./teach-queries.ts";
import type { OnboardingAddress } from "./use-onboarding-address.ts";

/** Number of well-supported answers shown before one that the twin does not know. */
const GOOD_ANSWERS = 2;

interface FirstAnswerStepProps
  extends Pick<OnboardingAddress, "pairId" | "seen" | "conversationId" | "replyId" | "change"> {
  twin: Twin;
}

export function FirstAnswerStep({ twin, pairId, seen, conversationId, replyId, change }: FirstAnswerStepProps) {
  const { user } = useSession();
  // A question from outside the history remains the one to rate, regardless of its asker.
  const live = pairId === "" && replyId !== "";
  const { data, error, isFetching, refetch } = useFirstAnswer(twin.id, pairId, !live);
  const next = useNextAnswer(twin.id);
  const { pair, reply } = data ?? {};
  useEffect(() => {
    if (live || !reply || reply.messageId === replyId) return;
    change({ pair: pair?.id ?? null, talk: reply.conversationId, reply: reply.messageId });
  }, [live, pair, reply, replyId, change]);
  const exchange = useExchange(live ? conversationId : "", replyId).data;

  /** Shows the next exchange. `good`: only answers that the twin knows and that were not shown; when there is none, teaching follows. */
  function showNext({ good }: { good: boolean }) {
    if (!pair || !reply) return;
    const shown = [...seen.filter((id) => id !== pair.id), pair.id];
    next.mutate(
      { pairId: pair.id, conversationId: reply.conversationId },
      {
        onSuccess: ({ pair: following, reply: told }) => {
          const fits = !good || (told?.basis !== "unknown" && !shown.includes(following?.id ?? ""));
          if (following && fits) change({ pair: following.id, seen: shown.join("-") }, { push: true });
          else if (good) teach();
        },
        onError: toastError("Ошибка генерации"),
      },
    );
  }

  const teach = () => change({ teach: ANY_PAIR }, { push: true });
  // The twin answers no message of the history well, so teaching comes at once and replaces this history entry.
  const onlyTeaching = !live && data !== undefined && data.reply === null && data.more;
  useEffect(() => {
    if (onlyTeaching) change({ teach: ANY_PAIR });
  }, [onlyTeaching, change]);

  function goOn() {
    if (closed) change({ step: "4" }, { push: true });
    // A question that the twin just failed to answer is the one to teach.
    else if (exchange?.origin.basis === "unknown")
      change({ teach: teachIdOf({ pair: null, question: exchange.question }) }, { push: true });
    else if (asking) teach();
    else if (data?.more && seen.length + 1 < GOOD_ANSWERS) showNext({ good: true });
    else teach();
  }

  // Only the owner can read messages of a twin. Other members can still ask questions.
  const closed =
    (error instanceof ApiError && error.status === 404) || (twin.ownerId !== "" && user?.id !== twin.ownerId);
  const asking = live || closed || (data?.pair === null && !onlyTeaching);
  const known = exchange?.origin.basis === "knowledge" || exchange?.origin.basis === "recurring";
  const working = (!data && isFetching && !live) || next.isPending || onlyTeaching;
  return (
    <StepCard
      // A new key remounts the card for each message, so that the focus starts at its top.
      key={seen.length}
      title="Первый ответ"
      description={
        known
          ? "Такой вопрос двойник уже знает. Под ответом видно, откуда он взят; спросите и своё."
          : asking
            ? "Подходящей переписки пока нет: спросите двойника сами, он ответит сразу."
            : seen.length === 0
              ? "Настоящее сообщение из вашей переписки: ответ двойника рядом с вашим."
              : "Ещё одно сообщение из вашей переписки: ответ двойника рядом с вашим."
      }
      actions={
        <>
          <Button variant="primary" className="max-sm:w-full" disabled={replyId === "" || working} onClick={goOn}>
            Продолжить
          </Button>
          {data?.more && !live && (
            <Button className="max-sm:w-full" disabled={working} onClick={() => showNext({ good: false })}>
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
      <ProgressLine>
        {working
          ? "Preparing the first answer..."
          : asking && !live
            ? "Waiting for your question..."
            : "Waiting for your opinion..."}
      </ProgressLine>
      {error && !closed && !live && !isFetching && (
        <ErrorCard
          title="Не удалось получить ответ двойника"
          error={error}
          onRetry={() => {
            // The pair may have been deleted since, in which case another one is shown.
            if (pairId) change({ pair: null, talk: null, reply: null });
            else void refetch();
          }}
        />
      )}
      {asking ? (
        <LiveQuestion twin={twin} conversationId={conversationId} replyId={replyId} change={change} />
      ) : (
        pair && reply && <SideBySide pair={pair} reply={reply} twin={twin} faded={next.isPending} />
      )}
    </StepCard>
  );
}
