import { useMutation } from "@tanstack/react-query";
import { PencilLine, ThumbsDown, ThumbsUp } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import {
  conversationsApi,
  type Feedback,
  type FeedbackInput,
  type ReplySource,
} from "#contract/conversations/conversations.ts";
import { call } from "#web/api/call.ts";
import { Button } from "#web/ui/button.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";

const CorrectionDialog = lazy(() => import("#web/parts/corrections/correction-dialog.tsx"));

/** The two ends of the scale 1..5; other ratings count as the nearer end. */
const GOOD_RATING = 5;
const BAD_RATING = 1;
const NEUTRAL_RATING = 3;

interface ReplyRatingProps {
  messageId: string;
  /** Initial text of a correction; "" when no part of the answer is worth keeping. */
  answer: string;
  /** The passage nearest to a question that the twin could not answer. */
  nearest?: ReplySource | undefined;
  /** The twin that may learn the right answer; undefined when it may not be taught. */
  twinId: string | undefined;
  feedback: Feedback | null;
  bare?: boolean;
  onFeedback: (feedback: Feedback | null) => void;
  children?: ReactNode;
}

export function ReplyRating(props: ReplyRatingProps) {
  const { messageId, answer, nearest, twinId, feedback, bare = false, onFeedback, children } = props;
  const [correcting, setCorrecting] = useState(false);
  const rate = useMutation({
    mutationFn: (input: FeedbackInput) => call(conversationsApi.feedback, { params: { id: messageId }, input }),
    onMutate: ({ rating, comment, correction }) => {
      onFeedback({ rating: rating ?? null, comment: comment ?? null, correction: correction ?? null });
      return { former: feedback };
    },
    onSuccess: onFeedback,
    onError: (error, _input, before) => {
      if (before) onFeedback(before.former);
      toastError("Не удалось сохранить оценку")(error);
    },
  });
  const rated = feedback?.rating ?? NEUTRAL_RATING;
  const said = rated === NEUTRAL_RATING ? null : rated > NEUTRAL_RATING ? GOOD_RATING : BAD_RATING;
  const kept = {
    ...(feedback?.comment ? { comment: feedback.comment } : {}),
    ...(feedback?.correction ? { correction: feedback.correction } : {}),
  };
  const correct = feedback?.correction ? "Ваш ответ" : "Исправить ответ";
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        title={bare ? correct : undefined}
        className="px-2! text-muted!"
        onClick={() => setCorrecting(true)}
      >
        <PencilLine aria-hidden className="icon" />
        <span className={bare ? "sr-only" : undefined}>{correct}</span>
      </Button>
      {children}
      {(
        [
          [GOOD_RATING, ThumbsUp, "Полезно"],
          [BAD_RATING, ThumbsDown, "Не то"],
        ] as const
      ).map(([rating, Icon, label]) => (
        <Button
          key={rating}
          variant="ghost"
          size="sm"
          aria-pressed={said === rating}
          title={label}
          className={`px-2! ${said === rating ? "text-fg!" : "text-muted!"}`}
          onClick={() => rate.mutate({ ...kept, rating })}
        >
          <Icon aria-hidden className="icon" />
          <span className="sr-only">{label}</span>
        </Button>
      ))}
      {correcting && (
        <Suspense>
          <CorrectionDialog
            correction={feedback?.correction ?? answer}
            answer={answer}
            nearest={nearest}
            from={{ kind: "message", id: messageId }}
            twinId={twinId}
            onSave={(correction) =>
              rate.mutateAsync({
                ...(feedback?.comment ? { comment: feedback.comment } : {}),
                // A correction is no rating: an earlier rating stays, and none is added for the user.
                ...(feedback?.rating ? { rating: feedback.rating } : {}),
                correction,
              })
            }
            onClose={() => setCorrecting(false)}
          />
        </Suspense>
      )}
    </>
  );
}
