import { useId, useState } from "react";
import { Link } from "wouter";
import type { Gap } from "#contract/gaps.ts";
import { LONGEST_FACT } from "#contract/knowledge/chat-facts.ts";
import { formatDate } from "#web/i18n/format.ts";
import { formatWhen } from "#web/i18n/when.ts";
import { maskObjection } from "#web/parts/public-replies/mask-objection.ts";
import { PublicReplyForm } from "#web/parts/public-replies/public-reply-form.tsx";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { GapQuestions } from "./gap-questions.tsx";
import { askedInWords } from "./gap-words.ts";

interface OpenGapProps {
  gap: Gap;
  shown: boolean;
  busy: boolean;
  onShow: () => void;
  /** `also`: other gaps that it answers as well. */
  onAnswer: (question: string, text: string, also: string[]) => void;
  onIgnore: (as: "not_question" | "no_answer") => void;
  onSplit: (questionId: string) => void;
}

/** One question that waits for the owner: a line, which opens to who asked it and to the answer. */
export function OpenGap({ gap, shown, busy, onShow, onAnswer, onIgnore, onSplit }: OpenGapProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const [also, setAlso] = useState<readonly string[]>([]);
  const inside = useId();
  const { question, lastAskedAt, proposal, answer, near } = gap;
  // What was decided on in the meantime is not offered any more.
  const fits = near.filter(({ id }) => also.includes(id)).map(({ id }) => id);
  return (
    <li className="px-4 py-3 [overflow-wrap:anywhere] md:px-5">
      <button
        type="button"
        aria-expanded={shown}
        aria-controls={inside}
        onClick={onShow}
        className="flex w-full cursor-pointer flex-wrap items-baseline gap-x-4 gap-y-0.5 rounded-sm text-start"
      >
        <span className={`min-w-0 flex-1 basis-60 ${shown ? "font-medium text-base" : "text-md"}`}>{question}</span>
        <span className="shrink-0 text-muted text-sm tabular-nums">
          {[askedInWords(gap), formatWhen(lastAskedAt)].filter(Boolean).join(" · ")}
        </span>
      </button>
      <div id={inside} hidden={!shown}>
        {shown && (
          <>
            <GapQuestions gap={gap} busy={busy} onSplit={onSplit} />
            {answer !== null && draft === null && (
              <p className="mt-3 max-w-measure rounded-md bg-sunken p-3 text-md">
                <span className="block text-sm text-subtle">Прежний ответ не&nbsp;помог: спросили снова</span>
                {answer.text}
              </p>
            )}
            {proposal !== null && draft === null && (
              <div className="mt-3 max-w-measure rounded-md bg-sunken p-3">
                <p className="text-sm text-subtle">
                  Вы ответили{" "}
                  <Link href={paths.conversation(proposal.conversationId)} className="underline">
                    в&nbsp;диалоге
                  </Link>{" "}
                  {formatDate(proposal.repliedAt)}. Пока вы не&nbsp;подтвердите, двойник этого не&nbsp;скажет.
                </p>
                <p className="mt-1 whitespace-pre-line text-md">{proposal.text}</p>
                <Button size="sm" className="mt-2" disabled={busy} onClick={() => setDraft(proposal.text)}>
                  Взять за&nbsp;основу
                </Button>
              </div>
            )}
            {draft !== null ? (
              <PublicReplyForm
                key={draft}
                question={answer?.question ?? question}
                reply={draft}
                limits={{ question: LONGEST_FACT.question, reply: LONGEST_FACT.text }}
                objection={maskObjection}
                action={{ label: "Ответить всем", keyHint: "Ctrl+Enter ответит, Esc вернёт назад" }}
                busy={busy}
                onSubmit={(asked, text) => onAnswer(asked, text, fits)}
                onCancel={() => setDraft(null)}
              >
                {near.length > 0 && (
                  <fieldset className="flex min-w-0 flex-col gap-2">
                    <legend className="mb-1 font-medium text-md">Отметьте, на что этот ответ тоже подходит</legend>
                    {near.map(({ id, question: other }) => (
                      <Checkbox
                        key={id}
                        disabled={busy}
                        checked={also.includes(id)}
                        onChange={({ target }) =>
                          setAlso((before) => (target.checked ? [...before, id] : before.filter((one) => one !== id)))
                        }
                      >
                        {other}
                      </Checkbox>
                    ))}
                  </fieldset>
                )}
              </PublicReplyForm>
            ) : (
              <>
                <div className="mt-4 flex flex-wrap gap-2">
                  <Button variant="primary" disabled={busy} onClick={() => setDraft(answer?.text ?? "")}>
                    Ответить
                  </Button>
                  <Button disabled={busy} aria-describedby={`${inside}-acts`} onClick={() => onIgnore("no_answer")}>
                    Не&nbsp;отвечать
                  </Button>
                  <Button disabled={busy} aria-describedby={`${inside}-acts`} onClick={() => onIgnore("not_question")}>
                    Не&nbsp;вопрос
                  </Button>
                </div>
                <p id={`${inside}-acts`} className="mt-2 max-w-measure text-muted text-sm">
                  «Не&nbsp;отвечать»: вопрос настоящий, но ответа не&nbsp;будет. «Не&nbsp;вопрос»: здесь ничего
                  не&nbsp;спросили. Вернуть можно во&nbsp;вкладке «Не&nbsp;нужны».
                </p>
              </>
            )}
          </>
        )}
      </div>
    </li>
  );
}
