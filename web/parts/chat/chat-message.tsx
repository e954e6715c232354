import { clsx } from "clsx";
import { Ellipsis, RotateCcw } from "lucide-react";
import { type ComponentType, lazy, memo, type ReactNode, Suspense, useState } from "react";
import type { Feedback, ReplySource } from "#contract/conversations/conversations.ts";
import { messagesIn } from "#contract/conversations/messages-in.ts";
import { formatTime } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
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
const ToolCalls = lazy(() => import("#web/parts/acts/tool-calls.tsx"));

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
  contactName: string | undefined;
  found?: boolean;
  /** Whether this message starts and ends a run of one author's messages. The name stands at its start, the time at its end. */
  starts?: boolean;
  ends?: boolean;
  /** The formatted date, when this message is the first of its day. */
  day?: string | null;
  showTime?: boolean;
  /** Whether messages are letters, which keep their paragraphs together. */
  letters?: boolean;
  onSource?: ((source: ReplySource) => void) | undefined;
  onFeedback: (turnId: number, feedback: Feedback | null) => void;
  Citations?: ComponentType<{ reply: ReadReply; time?: ReactNode }> | undefined;
  /** Whether the message's actions are visible only on hover or focus, because it is no longer waiting for a decision. */
  past?: boolean;
  onAnswerAgain?: () => void;
}

export const ChatMessage = memo(function ChatMessage(props: ChatMessageProps) {
  const {
    turn,
    twinName,
    contactName,
    found = false,
    starts = true,
    ends = true,
    day = null,
    showTime = false,
    letters = false,
  } = props;
  const time = showTime && turn.timestamp !== "" && <Time of={turn.timestamp} />;
  const ofTwin = turn.role === "assistant" && turn.author !== "owner";
  const ofContact = contactName !== undefined && turn.role === "user";
  const name = ofContact ? contactName : ofTwin ? twinName : "Вы";
  const frame = {
    authorLabel: name,
    current: found,
    className: clsx("group/row relative", starts && !day && "mt-3"),
    above: (
      <>
        {/* Scrolls with its messages: a date that stays at the edge lies over their text. */}
        {day && (
          <p data-day className="my-1 self-center px-2 text-muted text-sm">
            {day}
          </p>
        )}
        {/* The author is named, because in a contact's conversation the contact, the twin and the owner may write. */}
        {starts && contactName !== undefined && (
          <p className="flex max-w-full gap-1 px-1 text-muted text-sm">
            <span aria-hidden className="min-w-0 truncate font-medium">
              {name}
            </span>
            {ofTwin && (
              <>
                <span aria-hidden>·</span>
                <span className="shrink-0">Ответил ИИ</span>
              </>
            )}
          </p>
        )}
      </>
    ),
  };
  if (ofTwin) {
    const messages = turn.reply?.parted && !letters ? messagesIn(turn.content) : [turn.content];
    return (
      <ChatBubble
        author="twin"
        // Text that the contact reads is on the side opposite to the contact's own words, regardless of its author.
        atEnd={contactName !== undefined}
        {...frame}
        // biome-ignore lint/suspicious/noArrayIndexKey: the messages of one answer keep their order
        before={messages.slice(0, -1).map((text, at) => <MessageText key={at} text={text} />)}
        footer={<Below {...props} time={time} />}
      >
        <MessageText text={messages.at(-1)!} />
      </ChatBubble>
    );
  }
  if (ofContact)
    return (
      <ChatBubble author="contact" {...frame} footer={ends && time}>
        {turn.media ? (
          <Suspense fallback={turn.content}>
            <MediaMessage content={turn.content} media={turn.media} />
          </Suspense>
        ) : (
          turn.content
        )}
        {turn.quoted !== undefined && <Quoted text={turn.quoted} />}
      </ChatBubble>
    );
  return (
    <ChatBubble author="owner" {...frame} footer={turn.state === undefined ? ends && time : <Unanswered {...props} />}>
      {turn.content}
    </ChatBubble>
  );
});

/** Why a question has no answer, and the way to ask it once more. */
function Unanswered({ turn, onAnswerAgain }: ChatMessageProps) {
  if (turn.state === "failed") return <p className="text-danger-text">Без ответа: {turn.problem}</p>;
  if (turn.state === "coming") return <p>Ответ готовится</p>;
  return (
    <>
      <p className="text-danger-text">Ответ прервался</p>
      {onAnswerAgain && (
        <>
          <span aria-hidden>·</span>
          <Button variant="ghost" size="sm" className="px-2!" onClick={onAnswerAgain}>
            <RotateCcw aria-hidden className="icon" />
            Повторить
          </Button>
        </>
      )}
    </>
  );
}

/** What the contact's letter quotes or passes on, and its signature. */
function Quoted({ text }: { text: string }) {
  return (
    <details className="mt-2 text-muted text-sm">
      <summary className="w-fit rounded-sm">Цитата и подпись</summary>
      <p className="mt-1 border-s-2 ps-3">{text}</p>
    </details>
  );
}

function Below(props: ChatMessageProps & { time: ReactNode }) {
  const { turn, contactName, Citations, onSource, past = false, time } = props;
  const [opened, setOpened] = useState(false);
  const bare = past && matchMedia("(pointer: fine)").matches;
  const atEnd = contactName !== undefined;
  return (
    <div className={clsx("flex min-w-0 flex-col gap-1", atEnd && "items-end text-end")}>
      <div className={clsx("flex max-w-full items-start gap-x-2", atEnd && "flex-row-reverse")}>
        <div
          className={clsx("flex min-w-0 max-w-measure flex-wrap items-center gap-x-3 gap-y-1", atEnd && "justify-end")}
        >
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
          {turn.reply?.calls && (
            <Suspense>
              <ToolCalls calls={turn.reply.calls} />
            </Suspense>
          )}
          {turn.former && turn.former.length > 0 && <FormerAnswers answers={turn.former} />}
        </div>
        {/* Space for hidden actions stays reserved, so that showing them moves and covers nothing. */}
        {bare && (
          <div className="-my-1 flex shrink-0 opacity-0 group-focus-within/row:opacity-100 pointer-fine:group-hover/row:opacity-100">
            <Acts {...props} bare />
          </div>
        )}
        {past && !bare && (
          <Button
            variant="ghost"
            size="icon"
            className="-my-2 text-muted!"
            aria-label="Что сделать с ответом"
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            <Ellipsis aria-hidden className="icon" />
          </Button>
        )}
      </div>
      {(!past || opened) && (
        <div className={clsx("flex flex-wrap items-center gap-x-1", atEnd ? "-me-2 justify-end" : "-ms-2")}>
          <Acts {...props} />
        </div>
      )}
    </div>
  );
}

/** «Не знаю» and a quotation: neither is the owner's answer. */
const isGuess = (basis: ReadReply["basis"]) => basis === "unknown" || basis === "quoted";

function Acts({ turn, twinId, onAnswerAgain, onFeedback, bare = false }: ChatMessageProps & { bare?: boolean }) {
  const readOnly = useReadOnly();
  const again = onAnswerAgain && turn.state !== "failed" && (
    <Button variant="ghost" size="sm" className="px-2! text-muted!" onClick={onAnswerAgain}>
      <RotateCcw aria-hidden className="icon" />
      {/* On a phone all actions share one line. */}
      <span className="max-sm:sr-only">Ответить заново</span>
    </Button>
  );
  return (
    <>
      {turn.reply?.messageId && !readOnly ? (
        <ReplyRating
          messageId={turn.reply.messageId}
          answer={isGuess(turn.reply.basis) ? "" : turn.content}
          nearest={isGuess(turn.reply.basis) ? turn.reply.sources?.[0] : undefined}
          twinId={twinId}
          feedback={turn.feedback ?? null}
          bare={bare}
          onFeedback={(feedback) => onFeedback(turn.id, feedback)}
        >
          {again}
        </ReplyRating>
      ) : (
        again
      )}
      {/* Labelled actions need the space of the others. */}
      <CopyButton text={turn.content} bare />
    </>
  );
}

function Time({ of: timestamp }: { of: string }) {
  return <time dateTime={timestamp}>{formatTime(timestamp)}</time>;
}

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
