import { clsx } from "clsx";
import { type RefObject, useEffect, useId, useRef } from "react";
import type { PastReply } from "#contract/conversations/approvals.ts";
import { formatDate } from "#web/i18n/format.ts";
import { Button } from "#web/ui/button.tsx";
import { isTyping } from "#web/ui/typing.ts";
import { usePastReplies } from "./queries.ts";

interface PastRepliesProps {
  answerId: string;
  enabled: boolean;
  disabled: boolean;
  onTake: (reply: PastReply) => void;
}

/**
 * Up to three past replies of the owner to similar messages, each with a shortcut key that inserts it into the editor. Renders nothing
 * without any.
 */
export function PastReplies({ answerId, enabled, disabled, onTake }: PastRepliesProps) {
  const box = useRef<HTMLElement>(null);
  const { data: replies = [] } = usePastReplies(answerId, enabled);
  const heading = useId();
  useDigits(box, (place) => {
    const reply = replies[place];
    if (reply === undefined || disabled) return false;
    onTake(reply);
    return true;
  });
  if (replies.length === 0) return null;
  return (
    <section ref={box} data-past-replies aria-labelledby={heading} className="rounded-md border bg-surface p-3">
      <h4 id={heading} className="font-medium text-md">
        Как вы отвечали раньше
      </h4>
      <PastReplyList replies={replies} disabled={disabled} onTake={onTake} />
    </section>
  );
}

interface PastReplyListProps {
  replies: readonly PastReply[];
  disabled?: boolean;
  /** Modifier shown before the digit of the shortcut: «Alt+». */
  keyPrefix?: string;
  onTake: (reply: PastReply) => void;
}

export function PastReplyList({ replies, disabled = false, keyPrefix = "", onTake }: PastReplyListProps) {
  return (
    <ol className="mt-2 flex flex-col gap-3">
      {replies.map((reply, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is the key that is pressed
        <li key={place} className="flex flex-wrap items-start gap-x-4 gap-y-2">
          <div className="min-w-0 max-w-measure flex-1 basis-60 [overflow-wrap:anywhere]">
            <p className="text-muted text-sm">{whomOf(reply)}</p>
            <p className="line-clamp-3 whitespace-pre-line text-md">
              <Marked reply={reply} />
            </p>
          </div>
          <Button
            size="sm"
            disabled={disabled}
            aria-keyshortcuts={`${keyPrefix}${place + 1}`}
            onClick={() => onTake(reply)}
          >
            Взять
            <kbd className="font-sans text-subtle max-md:hidden">
              {keyPrefix}
              {place + 1}
            </kbd>
          </Button>
        </li>
      ))}
    </ol>
  );
}

function whomOf({ contactName, sameContact, repliedAt, question }: PastReply): string {
  const who = contactName === null ? "Открыто всем" : sameContact ? "Этому же собеседнику" : contactName;
  return [who, repliedAt && formatDate(repliedAt), `«${question}»`].filter(Boolean).join(" · ");
}

/** Highlights another person's name, phone or address, which must not be sent to this contact. */
function Marked({ reply: { reply, personal } }: { reply: PastReply }) {
  let from = 0;
  const pieces = personal.flatMap(({ start, end }) => {
    const plain = reply.slice(from, start);
    from = end;
    return [
      plain,
      <mark key={start} className="rounded-sm bg-warning-soft px-0.5 text-warning-text">
        {reply.slice(start, end)}
      </mark>,
    ];
  });
  return [...pieces, reply.slice(from)];
}

/** Warns of another person's data in a text that is about to be sent; renders nothing without any. */
export function PersonalDataWarning({
  reply,
  text,
  className,
}: {
  reply: PastReply | null;
  text: string;
  className?: string;
}) {
  const left = reply === null ? [] : leftOf(reply, text);
  if (left.length === 0) return null;
  return (
    <p
      role="status"
      className={clsx("rounded-md bg-warning-soft p-3 text-md text-warning-text [overflow-wrap:anywhere]", className)}
    >
      Этот ответ получил другой собеседник ({reply?.contactName}). Здесь остались его данные: {left.join(", ")}.
    </p>
  );
}

const leftOf = ({ reply, personal }: PastReply, text: string): string[] => [
  ...new Set(personal.map(({ start, end }) => reply.slice(start, end)).filter((piece) => text.includes(piece))),
];

/**
 * Handles the keys 1, 2 and 3: they act in the focused draft, otherwise in the first draft with past replies. In a field they type digits.
 * @param take inserts the reply at an index from 0; returns whether there was one
 */
function useDigits(box: RefObject<HTMLElement | null>, take: (place: number) => boolean) {
  // The listener is registered once and always calls the handler of the latest render.
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const digit = /^(?:Digit|Numpad)([1-3])$/.exec(event.code)?.[1];
      if (digit === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (event.defaultPrevented || isTyping(event.target)) return;
      const around = (event.target as HTMLElement).closest?.("article")?.querySelector("[data-past-replies]");
      const inSight = [...document.querySelectorAll("[data-past-replies]")].find((one) => one.checkVisibility());
      if ((around ?? inSight) !== box.current) return;
      if (latest.current(Number(digit) - 1)) event.preventDefault();
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [box]);
}
