import { CircleCheck, Globe } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import type { Feedback } from "#contract/conversations/conversations.ts";
import type { Twin } from "#contract/twins.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { ChatBubble } from "#web/ui/chat-bubble.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { PlatformIcon } from "#web/ui/platform-icon.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { SideBySide } from "./answers/side-by-side.tsx";
import { ProgressLine } from "./progress-line.tsx";
import { useExchange, useFirstAnswer, useRateAnswer } from "./queries.ts";
import { RatingField } from "./rating-field.tsx";
import { StepCard } from "./step-card.tsx";
import type { OnboardingAddress } from "./use-onboarding-address.ts";

const FORM = "onboarding-feedback";
const TEXT_LIMIT = 4000;

interface FeedbackStepProps extends Pick<OnboardingAddress, "pairId" | "conversationId" | "replyId" | "change"> {
  twin: Twin;
}

export function FeedbackStep({ twin, pairId, conversationId, replyId, change }: FeedbackStepProps) {
  const { data: exchange, error, isPending, refetch } = useExchange(conversationId, replyId);
  const judged = useFirstAnswer(twin.id, pairId, pairId !== "" && replyId !== "");
  const { pair, reply } = judged.data ?? {};
  const rate = useRateAnswer(replyId);
  const nothing = conversationId === "" || replyId === "" || exchange === null;
  const open = exchange && !rate.isSuccess;
  const toTwin = <Link href={paths.twinSettings(twin.id)}>{open ? "Пропустить пока" : "Готово"}</Link>;
  return (
    <StepCard
      title="Обратная связь"
      description="Оценка остаётся рядом с ответом: по ней видно, чему двойника ещё учить."
      actions={
        <>
          {open && (
            <Button type="submit" form={FORM} className="max-sm:w-full" busy={rate.isPending}>
              {rate.isPending ? "Сохраняем..." : "Отправить отзыв"}
            </Button>
          )}
          <Button asChild variant="ghost" className="max-sm:w-full">
            {toTwin}
          </Button>
          {nothing && (
            <Button className="max-sm:w-full" onClick={() => change({ step: "3" }, { push: true })}>
              К первому ответу
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg bg-primary-soft p-4">
        <p className="min-w-0 max-w-measure flex-1 basis-72 text-md">
          Дальше&nbsp;— туда, где вам пишут. Telegram подключается за&nbsp;пару минут, чат на&nbsp;сайт ставится одной
          строкой, и&nbsp;сначала двойник только готовит черновики: ничего не&nbsp;уйдёт без вашего согласия.
        </p>
        <div className="flex flex-wrap gap-2 max-sm:w-full">
          <Button asChild variant="primary" className="max-sm:w-full">
            <Link href={`${paths.addIntegration}?twin=${encodeURIComponent(twin.id)}&platform=telegram`}>
              <PlatformIcon platform="telegram" />
              Подключить Telegram
            </Link>
          </Button>
          <Button asChild className="max-sm:w-full">
            <Link href={`${paths.twinAccess(twin.id)}?tab=widget`}>
              <Globe aria-hidden className="icon" />
              Поставить чат на сайт
            </Link>
          </Button>
        </div>
      </div>
      <ProgressLine>
        {rate.isPending
          ? "Saving your feedback..."
          : rate.isSuccess
            ? "Feedback saved, your twin goes on learning..."
            : nothing
              ? "Waiting for the first answer..."
              : "Waiting for your feedback..."}
      </ProgressLine>
      {nothing ? (
        <p className="text-md text-muted">Оценивать пока нечего: двойник ещё ни на что не ответил.</p>
      ) : error ? (
        <ErrorCard title="Не удалось загрузить ответ двойника" error={error} onRetry={() => void refetch()} />
      ) : isPending || judged.isLoading ? null : rate.isSuccess ? (
        <p role="status" className="flex gap-2.5 font-medium text-base">
          <CircleCheck aria-hidden className="icon mt-0.5 text-success-text" />
          Спасибо! Отзыв сохранён, двойника можно испытывать дальше.
        </p>
      ) : (
        exchange && (
          <>
            {pair && reply?.messageId === replyId ? (
              <SideBySide pair={pair} reply={reply} twin={twin} />
            ) : (
              <ol aria-label="Вопрос и ответ" className="flex flex-col gap-3">
                <ChatBubble author="contact" authorLabel="Сообщение">
                  {exchange.question}
                </ChatBubble>
                <ChatBubble author="twin" authorLabel={twin.name}>
                  {exchange.answer}
                </ChatBubble>
              </ol>
            )}
            <FeedbackForm
              key={replyId}
              before={exchange.feedback}
              onSend={(input) =>
                rate.mutate(input, {
                  onError: toastError("Не удалось сохранить отзыв"),
                })
              }
            />
          </>
        )
      )}
    </StepCard>
  );
}

interface FeedbackFormProps {
  before: Feedback | null;
  onSend: (input: { rating: number; comment: string; correction: string }) => void;
}

function FeedbackForm({ before, onSend }: FeedbackFormProps) {
  const [rating, setRating] = useState(before?.rating ?? 0);
  const [comment, setComment] = useState(before?.comment ?? "");
  const [correction, setCorrection] = useState(before?.correction ?? "");
  const [tried, setTried] = useState(false);

  function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (rating !== 0) onSend({ rating, comment: comment.trim(), correction: correction.trim() });
  }

  return (
    <form id={FORM} noValidate onSubmit={submit} className="flex flex-col gap-5">
      <RatingField
        value={rating}
        onChange={setRating}
        error={tried && rating === 0 ? "Поставьте оценку от 1 до 5" : undefined}
      />
      <Field label="Комментарий" hint="Что похоже на вас, а что нет">
        <Textarea
          rows={3}
          maxLength={TEXT_LIMIT}
          value={comment}
          onChange={(event) => setComment(event.target.value)}
        />
      </Field>
      <Field label="Как бы вы ответили" hint="Необязательно">
        <Textarea
          rows={3}
          maxLength={TEXT_LIMIT}
          value={correction}
          onChange={(event) => setCorrection(event.target.value)}
        />
      </Field>
    </form>
  );
}
