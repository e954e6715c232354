import { useRef } from "react";
import { LEAST_MARKS, type TwinExam } from "#contract/twin-exam.ts";
import { useTwinExamActs } from "#web/parts/twin-exam/queries.ts";
import { Button } from "#web/ui/button.tsx";
import { useDecisionKeys } from "#web/ui/decision-keys.ts";
import { Progress } from "#web/ui/figures/progress.tsx";
import { KeyHint } from "#web/ui/key-hint.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { ExamAnswer } from "./exam-answer.tsx";

interface MarkAnswersProps {
  twinId: string;
  current: NonNullable<TwinExam["current"]>;
  readOnly: string | null;
}

/** One answer after another: Y or N, by the key's place, so that a Russian keyboard needs no other language. */
export function MarkAnswers({ twinId, current: { answers }, readOnly }: MarkAnswersProps) {
  const { mark, finish, cancel } = useTwinExamActs(twinId);
  const box = useRef<HTMLElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const marked = answers.filter(({ accepted }) => accepted !== null);
  const answer = answers.find(({ accepted }) => accepted === null);
  const before = marked.at(-1);
  const busy = mark.isPending || finish.isPending || cancel.isPending || readOnly !== null;

  function decide(accepted: boolean) {
    if (busy || answer === undefined) return;
    mark.mutate({ answerId: answer.id, mark: accepted ? "yes" : "no" });
    place.current?.focus();
  }
  function back() {
    if (!busy && before !== undefined) mark.mutate({ answerId: before.id, mark: "none" });
  }
  useDecisionKeys(box, (code) => {
    if (code === "KeyY") decide(true);
    else if (code === "KeyN") decide(false);
    else if (code === "Backspace") back();
    else return false;
    return true;
  });

  return (
    <Card ref={box} aria-labelledby="twin-exam">
      <CardHeader id="twin-exam" title="Отправили бы вы этот ответ?" lead />
      <CardBody className="flex flex-col gap-5">
        <div>
          <p className="text-md text-muted tabular-nums">
            Оценено {marked.length} из {answers.length}
          </p>
          <Progress className="mt-2" label="Оценено ответов" value={(marked.length / answers.length) * 100} />
        </div>
        <div ref={place} tabIndex={-1} aria-live="polite" className="focus:outline-none">
          {answer && <ExamAnswer answer={answer} />}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" className="max-sm:w-full" whyNot={readOnly} onClick={() => decide(true)}>
            Да, отправил бы <KeyHint>Y</KeyHint>
          </Button>
          <Button className="max-sm:w-full" whyNot={readOnly} onClick={() => decide(false)}>
            Нет <KeyHint>N</KeyHint>
          </Button>
          {before !== undefined && (
            <Button variant="ghost" whyNot={readOnly} onClick={back}>
              Вернуть прошлый <KeyHint>⌫</KeyHint>
            </Button>
          )}
        </div>
        <p className="max-w-measure text-muted text-sm">
          Оцените ответ, а не то, ушёл бы он сам: «не знаю» — верный ответ, если вы этого двойнику не рассказывали.
        </p>
        <div className="flex flex-wrap gap-2 border-t pt-4">
          <Button
            size="sm"
            whyNot={readOnly ?? (marked.length < LEAST_MARKS ? `Сначала оцените хотя бы ${LEAST_MARKS} ответов` : null)}
            onClick={() => finish.mutate()}
          >
            Закончить на этом
          </Button>
          <Button size="sm" variant="ghost" whyNot={readOnly} onClick={() => cancel.mutate()}>
            Отменить экзамен
          </Button>
        </div>
      </CardBody>
    </Card>
  );
}
