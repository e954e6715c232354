import { clsx } from "clsx";
import { RotateCcw } from "lucide-react";
import { type ComponentType, lazy, memo, type ReactNode, Suspense, useState } from "react";
import type { Feedback, ReplySource } from "#contract/conversations/conversations.ts";
import { plural } from "#web/i18n/plural.ts";
import { formatMessageTime } from "#web/i18n/when.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { Button } from "#web/ui/button.tsx";
import { ChatBubble } from "#web/ui/chat-bubble.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import type { ChatTurn } from "./chat.ts";
import { ReplyCitations } from "./reply-citations.tsx";
import { ReplyRating } from "./reply-rating.tsx";
import type { ReadReply } from "./request-reply.ts";

const MediaMessage = lazy(() => import("./media-message.tsx"));
const Markdown = lazy(() => import("./markdown.tsx"));

/** A twin's text with Markdown rendered; plain text until the renderer's code is loaded. */
export function MessageText({ text }: { text: string }) {
  return (
    <Suspense fallback={text}>
      <Markdown text={text} />
    </Suspense>
  );
}

export interface ChatMessageProps {
  turn: ChatTurn;
  twinId: string | undefined;
  twinName: string;
  /** Name of the person who asks; absent: the user of this page. */
  contactName: string | undefined;
  /** Whether it is the message that is looked for. */
  found?: boolean;
  /** Whether the moment stands under each message. */
  showTime?: boolean;
  onSource?: ((source: ReplySource) => void) | undefined;
  onFeedback: (turnId: number, feedback: Feedback | null) => void;
  /** What stands below an answer instead of `ReplyCitations`. */
  Citations?: ComponentType<{ reply: ReadReply; time?: ReactNode }> | undefined;
  /** Whether its acts are seen only under a pointer and with the focus: it is no longer what one decides on. */
  past?: boolean;
  /** Given for the last answer only. */
  onAnswerAgain?: () => void;
}

export const ChatMessage = memo(function ChatMessage(props: ChatMessageProps) {
  const {
    turn,
    twinId,
    twinName,
    contactName,
    found = false,
    showTime = false,
    Citations,
    onSource,
    onFeedback,
    past = false,
    onAnswerAgain,
  } = props;
  const [pointed, setPointed] = useState(false);
  const folded = past && matchMedia("(pointer: fine)").matches;
  const readOnly = useReadOnly();
  const time = showTime && turn.timestamp !== "" && <Time of={turn.timestamp} />;
  if (contactName !== undefined && turn.role === "user") {
    return (
      <ChatBubble author="contact" authorLabel={contactName} footer={time} current={found}>
        {turn.media ? (
          <Suspense fallback={turn.content}>
            <MediaMessage content={turn.content} media={turn.media} />
          </Suspense>
        ) : (
          turn.content
        )}
      </ChatBubble>
    );
  }
  if (turn.role === "user" || turn.author === "owner") {
    return (
      <ChatBubble
        author="owner"
        authorLabel="Вы"
        current={found}
        footer={turn.state === "failed" ? <p className="text-danger-text">Без ответа: {turn.problem}</p> : time}
      >
        {turn.content}
      </ChatBubble>
    );
  }
  return (
    <ChatBubble
      author="twin"
      authorLabel={twinName}
      current={found}
      {...(folded
        ? {
            className: "relative",
            onPointerEnter: () => setPointed(true),
            onPointerLeave: () => setPointed(false),
            onFocus: () => setPointed(true),
            onBlur: () => setPointed(false),
          }
        : {})}
      footer={
        <div className="flex min-w-0 max-w-measure flex-col gap-1.5">
          {contactName !== undefined && <p className="font-medium text-primary-text">Ответил ИИ</p>}
          {turn.state === "stopped" && <p>Ответ остановлен</p>}
          {turn.state === "failed" && <p className="text-danger-text">Ответ оборвался</p>}
          {turn.reply ? (
            Citations ? (
              <Citations reply={turn.reply} time={time} />
            ) : (
              <ReplyCitations reply={turn.reply} time={time} onSource={onSource} />
            )
          ) : (
            time && <p>{time}</p>
          )}
          {turn.former && turn.former.length > 0 && <FormerAnswers answers={turn.former} />}
          {/* Over the gap to the next message, so that nothing moves under the pointer. */}
          <div
            className={clsx(
              folded && !pointed && "sr-only",
              folded && pointed
                ? "absolute start-0 top-full z-1 flex items-center gap-x-1 rounded-md border bg-surface"
                : "-ms-2 flex flex-wrap items-center gap-x-1",
            )}
          >
            <CopyButton text={turn.content} />
            {onAnswerAgain && turn.state !== "failed" && (
              <Button variant="ghost" size="sm" className="px-2! text-muted!" onClick={onAnswerAgain}>
                <RotateCcw aria-hidden className="icon" />
                Ответить заново
              </Button>
            )}
            {turn.reply?.messageId && !readOnly && (
              <ReplyRating
                messageId={turn.reply.messageId}
                twinId={twinId}
                feedback={turn.feedback ?? null}
                onFeedback={(feedback) => onFeedback(turn.id, feedback)}
              />
            )}
          </div>
        </div>
      }
    >
      <MessageText text={turn.content} />
    </ChatBubble>
  );
});

function Time({ of: timestamp }: { of: string }) {
  return <time dateTime={timestamp}>{formatMessageTime(timestamp)}</time>;
}

/** Earlier answers to the same question, from before it was asked once more. */
function FormerAnswers({ answers }: { answers: readonly string[] }) {
  return (
    <details>
      <summary className="w-fit cursor-pointer rounded-sm text-muted hover:text-fg">
        {plural(answers.length, ["прежний ответ", "прежних ответа", "прежних ответов"])}
      </summary>
      <ul className="mt-1 space-y-2 border-s ps-3">
        {answers.map((answer, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: former answers never change
          <li key={place} className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            {answer}
          </li>
        ))}
      </ul>
    </details>
  );
}
