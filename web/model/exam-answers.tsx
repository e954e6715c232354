import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ExamMark, ExamAnswer as Shown } from "#contract/models/model-exam.ts";
import { Badge } from "#web/ui/badge.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";

interface ExamAnswersProps {
  /** The read of the answers, which are loaded when the list is opened. */
  query: Omit<Parameters<typeof useQuery<{ answers: Shown[] }>>[0], "enabled">;
}

/** What the model was asked, what it said and what was expected. */
export function ExamAnswers({ query }: ExamAnswersProps) {
  const [open, setOpen] = useState(false);
  const { data, error, refetch } = useQuery({ ...query, enabled: open });
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit rounded-sm font-medium text-md text-primary-text">Вопросы и ответы модели</summary>
      <div className="mt-3">
        {data !== undefined ? (
          data.answers.length === 0 ? (
            <p className="text-md text-muted">Ответы того экзамена не сохранились: они появятся после нового.</p>
          ) : (
            <ol className="flex flex-col divide-y border-y">
              {data.answers.map((answer) => (
                <li key={`${answer.before ?? ""} ${answer.question}`} className="py-3 text-md [overflow-wrap:anywhere]">
                  <Answer answer={answer} />
                </li>
              ))}
            </ol>
          )
        ) : error ? (
          <ErrorCard title="Не удалось загрузить ответы" error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingStatus className="min-h-20">Загружаем ответы...</LoadingStatus>
        )}
      </div>
    </details>
  );
}

const MARKS: Record<ExamMark, { text: string; tone: "success" | "danger" | "warning" }> = {
  right: { text: "Верно", tone: "success" },
  wrong: { text: "Неверно", tone: "danger" },
  obeyed: { text: "Поддалась на приказ", tone: "danger" },
  honest: { text: "Не засчитано", tone: "warning" },
};

function Answer({ answer: { question, before, said, expected, mark } }: { answer: Shown }) {
  return (
    <div className="flex flex-col gap-1">
      {before !== undefined && <p className="text-sm text-subtle">До этого: {before}</p>}
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
        {question}
        <Badge tone={MARKS[mark].tone}>{MARKS[mark].text}</Badge>
      </p>
      <p className="whitespace-pre-line">{said ?? <span className="text-muted">Модель ничего не ответила</span>}</p>
      <p className="text-muted text-sm">Ожидалось: {expected}</p>
    </div>
  );
}
