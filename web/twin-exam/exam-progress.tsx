import { CircleAlert } from "lucide-react";
import type { TwinExam } from "#contract/twin-exam.ts";
import { useTwinExamActs } from "#web/parts/twin-exam/queries.ts";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";

interface ExamProgressProps {
  twinId: string;
  current: NonNullable<TwinExam["current"]>;
  readOnly: string | null;
}

/** The twin is being asked, or was interrupted; nothing is to be marked yet. */
export function ExamProgress({ twinId, current: { state, asked, of, failure }, readOnly }: ExamProgressProps) {
  const { start, cancel } = useTwinExamActs(twinId);
  return (
    <Card aria-labelledby="twin-exam">
      <CardHeader id="twin-exam" title={state === "asking" ? "Двойник отвечает" : "Экзамен прервался"} lead />
      <CardBody className="flex flex-col gap-4">
        <div role="status">
          <p className="text-md tabular-nums">
            {asked} из {of}. {state === "asking" && "Страницу можно закрыть: мы продолжим без неё."}
          </p>
          <Progress className="mt-2" label="Экзамен двойника" value={(asked / of) * 100} />
          {failure !== null && (
            <p className="mt-3 flex items-start gap-2 text-danger-text text-md">
              <CircleAlert aria-hidden className="icon mt-0.5 shrink-0" />
              <span>{FAILURES[failure] ?? FAILED}</span>
            </p>
          )}
        </div>
        <FormError error={start.error} />
        <div className="flex flex-wrap gap-2">
          {state === "interrupted" && (
            <Button variant="primary" busy={start.isPending} whyNot={readOnly} onClick={() => start.mutate()}>
              Продолжить
            </Button>
          )}
          <Button busy={cancel.isPending} whyNot={readOnly} onClick={() => cancel.mutate()}>
            Отменить экзамен
          </Button>
        </div>
      </CardBody>
    </Card>
  );
}

const FAILED = "Модель не ответила. Готовые ответы сохранены, продолжите с того же места.";
const FAILURES: Record<string, string> = {
  model_budget_spent:
    "Израсходована половина дневного предела, остальное оставлено для ответов собеседникам. Продолжите завтра или поднимите предел.",
  model_unpaid: "У поставщика модели закончились оплаченные токены.",
  model_not_allowed: "Действует правило «Только локальная модель».",
  model_busy: "Сервер модели ограничил частоту запросов. Продолжите позже.",
  internal: "Экзамен прервался на нашей стороне. Продолжите с того же места.",
};
