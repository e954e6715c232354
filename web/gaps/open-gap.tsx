import { useRef, useState } from "react";
import { Link } from "wouter";
import type { CorrectionScope } from "#contract/correction-scope.ts";
import type { Gap } from "#contract/gaps.ts";
import { formatDate } from "#web/i18n/format.ts";
import { GapAnswerForm } from "#web/parts/gaps/gap-answer-form.tsx";
import { useNearGaps } from "#web/parts/gaps/near-gaps.tsx";
import { Passage } from "#web/parts/passage.tsx";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { actionToast } from "#web/ui/toasts/action-toast.tsx";
import { GapQuestions } from "./gap-questions.tsx";

interface OpenGapProps {
  gap: Gap;
  busy: boolean;
  answering: boolean;
  onAnswer: (scope: CorrectionScope, question: string, text: string, also: string[]) => void;
  onIgnore: (as: "not_question" | "no_answer") => void;
  onSplit: (questionId: string) => void;
}

/** One open question: who asked it, the owner's answer to the askers or to all contacts, and the two ways to close it without an answer. */
export function OpenGap({ gap, busy, answering, onAnswer, onIgnore, onSplit }: OpenGapProps) {
  const [taken, setTaken] = useState<string | null>(null);
  const typed = useRef("");
  const { question, people, proposal, answer, near, nearest } = gap;
  const nearGaps = useNearGaps(near, busy);
  /** Puts a text into the field for editing. A toast restores what had been typed there. */
  function take(text: string) {
    const before = typed.current;
    setTaken(text);
    if (before.trim() !== "")
      actionToast("Ответ вставлен", [{ label: "Вернуть мой текст", onPress: () => setTaken(before) }]);
  }

  return (
    <>
      <GapQuestions gap={gap} busy={busy} onSplit={onSplit} />
      {answer !== null && (
        <p className="mt-3 max-w-measure rounded-md bg-sunken p-3 text-md">
          <span className="block text-sm text-subtle">
            {answer.scope === "contact"
              ? "Так двойник отвечает только тем, кто спросил раньше. Теперь спросил другой собеседник"
              : "Прежний ответ не\u00a0помог: спросили снова"}
          </span>
          {answer.text}
        </p>
      )}
      {proposal !== null && taken === null && (
        <div className="mt-3 max-w-measure rounded-md bg-sunken p-3">
          <p className="text-sm text-subtle">
            Вы ответили{" "}
            <Link href={paths.conversation(proposal.conversationId)} className="underline">
              в&nbsp;диалоге
            </Link>{" "}
            {formatDate(proposal.repliedAt)}. Пока вы не&nbsp;подтвердите, двойник этого не&nbsp;скажет.
          </p>
          <p className="mt-1 whitespace-pre-line text-md">{proposal.text}</p>
          <Button size="sm" className="mt-2" disabled={busy} onClick={() => take(proposal.text)}>
            Взять за&nbsp;основу
          </Button>
        </div>
      )}
      {nearest !== null && (
        <Passage about={"Ближе всего в\u00a0документах:"} source={nearest} folded className="mt-2" />
      )}
      <GapAnswerForm
        key={taken}
        people={people}
        question={answer?.question ?? question}
        readAbove={question}
        reply={taken ?? answer?.text ?? ""}
        busy={answering}
        disabled={busy}
        focusesReply={taken !== null}
        onAnswer={(scope, asked, text) => onAnswer(scope, asked, text, nearGaps.also)}
        onReplyChange={(text) => {
          typed.current = text;
        }}
        otherNote="«Не отвечать»: ответа не будет. «Не вопрос»: здесь ничего не спросили."
        otherActs={(note) => (
          <>
            <Button
              variant="ghost"
              className="max-sm:flex-1"
              disabled={busy}
              aria-describedby={note}
              onClick={() => onIgnore("no_answer")}
            >
              Не&nbsp;отвечать
            </Button>
            <Button
              variant="ghost"
              className="max-sm:flex-1"
              disabled={busy}
              aria-describedby={note}
              onClick={() => onIgnore("not_question")}
            >
              Не&nbsp;вопрос
            </Button>
          </>
        )}
      >
        {nearGaps.field}
      </GapAnswerForm>
    </>
  );
}
