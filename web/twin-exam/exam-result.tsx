import type { TwinExam, TwinExamAnswer } from "#contract/twin-exam.ts";
import { formatRecent } from "#web/i18n/format.ts";
import { acceptedText, changedText, sendsText } from "#web/parts/twin-exam/exam-words.ts";
import { useTwinExamActs } from "#web/parts/twin-exam/queries.ts";
import { Button } from "#web/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { ExamAnswer } from "./exam-answer.tsx";
import { StartButton } from "./exam-start.tsx";

interface ExamResultProps {
  twinId: string;
  exam: TwinExam;
  last: NonNullable<TwinExam["last"]>;
  readOnly: string | null;
}

export function ExamResult({ twinId, exam, last: { result, answers }, readOnly }: ExamResultProps) {
  const changed = changedText(exam.changed);
  const canBeTaken = exam.current === null && exam.material.documents + exam.material.letters > 0;
  return (
    <Card aria-labelledby="twin-exam-result">
      <CardHeader id="twin-exam-result" title={acceptedText(result)} lead={exam.current === null} />
      <CardBody className="flex flex-col gap-4">
        <div role="status" className="flex max-w-measure flex-col gap-2 text-md">
          <p>{sendsText(result)}</p>
          {changed !== null && <p className="text-warning-text">{changed}</p>}
          <p className="text-sm text-subtle">Экзамен {formatRecent(result.at)}</p>
        </div>
        {canBeTaken && (
          <StartButton twinId={twinId} exam={exam} readOnly={readOnly}>
            Провести ещё раз
          </StartButton>
        )}
        <details className="border-t pt-4">
          <summary className="w-fit rounded-sm font-medium text-md text-primary-text">Вопросы и ваши оценки</summary>
          <ol className="mt-4 flex flex-col gap-8">
            {answers.map((answer) => (
              <li key={answer.id}>
                <ExamAnswer answer={answer} />
                <Mark twinId={twinId} answer={answer} readOnly={readOnly} />
              </li>
            ))}
          </ol>
        </details>
      </CardBody>
    </Card>
  );
}

interface MarkProps {
  twinId: string;
  answer: TwinExamAnswer;
  readOnly: string | null;
}

/** A mark may be changed after the exam, and pressed once more it is taken back. */
function Mark({ twinId, answer: { id, accepted }, readOnly }: MarkProps) {
  const { mark } = useTwinExamActs(twinId);
  const choose = (chosen: boolean) =>
    mark.mutate({ answerId: id, mark: accepted === chosen ? "none" : chosen ? "yes" : "no" });
  return (
    <fieldset className="mt-3 flex gap-2">
      <legend className="sr-only">Отправили бы вы этот ответ?</legend>
      {([true, false] as const).map((value) => (
        <Button
          key={String(value)}
          size="sm"
          aria-pressed={accepted === value}
          whyNot={readOnly}
          onClick={() => choose(value)}
        >
          {value ? "Да" : "Нет"}
          {accepted === value && <span aria-hidden>✓</span>}
        </Button>
      ))}
    </fieldset>
  );
}
