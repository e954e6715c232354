import { RefreshCw } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import type { FirstAnswer } from "#contract/first-answer.ts";
import type { Twin } from "#contract/twins.ts";
import { ApiError, messageOf } from "#web/api.ts";
import { formatDate, formatShare } from "#web/i18n/format.ts";
import { Button } from "#web/ui/button.tsx";
import { ErrorCard } from "#web/ui/error-card.tsx";
import { toast } from "#web/ui/toast.ts";
import { LiveQuestion } from "./live-question.tsx";
import { ProgressLine } from "./progress-line.tsx";
import { useFirstAnswer, useNextAnswer } from "./queries.ts";
import { StepCard } from "./step-card.tsx";
import type { OnboardingAddress } from "./use-onboarding-address.ts";

interface FirstAnswerStepProps extends Pick<OnboardingAddress, "pairId" | "talkId" | "replyId" | "change"> {
  twin: Twin;
}

/** What the twin answers to a message of the history, beside what its owner has answered; without history, to a question. */
export function FirstAnswerStep({ twin, pairId, talkId, replyId, change }: FirstAnswerStepProps) {
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
        onError: (fault) => toast({ title: "Ошибка генерации", description: messageOf(fault), variant: "destructive" }),
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
            onClick={() => change({ step: "4" }, { push: true })}
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
      {working && <ProgressLine>Preparing the first answer...</ProgressLine>}
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
        <LiveQuestion twin={twin} talkId={talkId} replyId={replyId} change={change} />
      ) : (
        pair && reply && <SideBySide pair={pair} reply={reply} twin={twin} faded={next.isPending} />
      )}
    </StepCard>
  );
}

interface SideBySideProps {
  pair: NonNullable<FirstAnswer["pair"]>;
  reply: NonNullable<FirstAnswer["reply"]>;
  twin: Twin;
  faded: boolean;
}

function SideBySide({ pair, reply, twin, faded }: SideBySideProps) {
  return (
    <div aria-busy={faded || undefined} className={`flex flex-col gap-4 ${faded ? "opacity-60" : ""}`}>
      <figure className="flex flex-col items-start gap-1.5">
        <figcaption className="text-sm text-subtle">
          {pair.contactName || "Собеседник"}, {formatDate(pair.repliedAt)}
        </figcaption>
        <blockquote className="max-w-measure whitespace-pre-wrap rounded-lg rounded-es-sm bg-hover px-4 py-2.5 [overflow-wrap:anywhere]">
          {pair.incoming}
        </blockquote>
      </figure>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 md:grid-cols-[repeat(2,minmax(0,1fr))]">
        <Answer by={`Ответ двойника «${twin.name}»`} look="bg-primary-soft" text={reply.response}>
          Уверенность {formatShare(reply.confidence)}
          {reply.basis === "unknown" && ". Не знает — и честно говорит об этом"}
        </Answer>
        <Answer by="Ваш настоящий ответ" look="bg-echo-soft" text={pair.ownerReply} />
      </div>
      <p className="max-w-measure text-muted text-sm">
        Двойник отвечал, не&nbsp;видя вашего ответа: на&nbsp;это время пара сообщений убрана из&nbsp;его памяти.
      </p>
    </div>
  );
}

function Answer({ by, look, text, children }: { by: string; look: string; text: string; children?: ReactNode }) {
  return (
    <section aria-label={by} className={`flex min-w-0 flex-col gap-2 rounded-lg p-4 ${look}`}>
      <h3 className="font-medium text-muted text-sm [overflow-wrap:anywhere]">{by}</h3>
      <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
      {children && <p className="mt-auto pt-1 text-muted text-sm">{children}</p>}
    </section>
  );
}
