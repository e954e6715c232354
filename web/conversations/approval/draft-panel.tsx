import { lazy, Suspense, useEffect, useId, useLayoutEffect, useRef } from "react";
import type { Approval } from "#contract/conversations/approvals.ts";
import { confidenceLabel } from "#web/parts/confidence-label.ts";
import { hiddenWords } from "#web/parts/hidden-words.ts";
import { Badge } from "#web/ui/badge.tsx";
import { isTyping } from "#web/ui/typing.ts";
import { notDelivered } from "../not-delivered.ts";
import { useActKeys } from "./act-keys.ts";
import { AnswerSources } from "./answer-sources.tsx";
import { useAnswers } from "./approval-queries.ts";
import { Decision, UndoDecision } from "./decision.tsx";
import { DoubtfulText } from "./doubtful-text.tsx";
import { isOpenQuestion, OPEN_QUESTION } from "./open-question.ts";

const ToolCalls = lazy(() => import("#web/parts/acts/tool-calls.tsx"));

interface DraftPanelProps {
  conversationId: string;
  twinName: string;
  may: boolean;
  /** Told when the owner begins and ends to reword a draft. */
  onRewording: (rewording: boolean) => void;
}

export function DraftPanel({ conversationId, twinName, may, onRewording }: DraftPanelProps) {
  const { data: answers = [] } = useAnswers(conversationId);
  const box = useRef<HTMLDivElement>(null);
  useDraftKey(box, answers.length > 0);
  useActKeys(box);
  if (answers.length === 0) return null;
  return (
    // It gives way to the thread's last message and to the composer, and takes the thread's room while it is edited.
    <div ref={box} className="max-h-3/5 overflow-y-auto border-t bg-surface has-data-editing:max-h-none">
      {answers.map((answer) => (
        <Answer key={answer.id} answer={answer} twinName={twinName} may={may} onRewording={onRewording} />
      ))}
    </div>
  );
}

interface AnswerProps extends Pick<DraftPanelProps, "twinName" | "may" | "onRewording"> {
  answer: Approval;
}

function Answer({ answer, twinName, may, onRewording }: AnswerProps) {
  const { id, author, question, text, state, reason, undoUntil } = answer;
  const open = isOpenQuestion(answer);
  const heading = useId();
  const box = useRef<HTMLElement>(null);
  const waits = state === "draft" || state === "unknown" || state === "failed";
  // A decided draft disappears, so the focus moves to the thread instead of being lost.
  useLayoutEffect(() => {
    const here = box.current;
    return () => {
      if (!here?.contains(document.activeElement)) return;
      here.closest("section")?.querySelector<HTMLElement>("textarea[data-composer]")?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <article
      ref={box}
      aria-labelledby={heading}
      className="group/answer flex flex-col gap-2 border-b px-4 py-3 last:border-b-0 md:px-4"
    >
      <header className="flex flex-wrap items-center gap-2">
        <h3 id={heading} className="text-md">
          {author === "owner"
            ? "Ваше сообщение"
            : state === "draft"
              ? text === ""
                ? "Нужен ваш ответ"
                : "Черновик двойника"
              : `Ответ: ${twinName}`}
        </h3>
        {state in notDelivered ? (
          <Badge tone="warning">{notDelivered[state as keyof typeof notDelivered]}</Badge>
        ) : (
          state !== "draft" && <Badge>Отправляется</Badge>
        )}
        <span className="text-muted text-sm tabular-nums">{confidenceLabel(answer)}</span>
      </header>
      {open && (
        <blockquote className="max-w-measure whitespace-pre-wrap border-s-2 ps-3 text-md text-muted [overflow-wrap:anywhere]">
          {question}
        </blockquote>
      )}
      {text !== "" && (
        // The field repeats it while it is edited.
        <p className="max-w-measure whitespace-pre-wrap text-base group-has-data-editing/answer:hidden [overflow-wrap:anywhere]">
          {answer.hidden ? hiddenWords() : <DoubtfulText text={text} doubtful={answer.doubtful} />}
        </p>
      )}
      {reason && waits && <p className="text-muted text-sm">{open ? OPEN_QUESTION : reason}</p>}
      {answer.calls && (
        <Suspense>
          <ToolCalls calls={answer.calls} />
        </Suspense>
      )}
      <AnswerSources answer={answer} />
      {may && !answer.hidden && waits && <Decision answer={answer} pinned onRewording={onRewording} />}
      {may && undoUntil !== null && <UndoDecision id={id} until={undoUntil} />}
    </article>
  );
}

/** The key D focuses the draft, where A sends, E edits and R rejects. Layout-independent (`KeyboardEvent.code`). */
function useDraftKey(box: React.RefObject<HTMLElement | null>, enabled: boolean) {
  useEffect(() => {
    if (!enabled) return;
    function press(event: KeyboardEvent) {
      if (event.code !== "KeyD" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const send = box.current?.querySelector<HTMLElement>("[data-act=send]");
      if (!send) return;
      event.preventDefault();
      send.focus();
      send.scrollIntoView({ block: "nearest" });
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [box, enabled]);
}
