import { TWIN_EXAM_QUESTIONS, type TwinExam } from "#contract/twin-exam.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { formatMoney } from "#web/i18n/money.ts";
import { plural } from "#web/i18n/plural.ts";
import { useTwinExamActs } from "#web/parts/twin-exam/queries.ts";
import { Button } from "#web/ui/button.tsx";
import { FormError } from "#web/ui/forms/form-error.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";

interface ExamStartProps {
  twinId: string;
  exam: TwinExam;
  readOnly: string | null;
}

export function ExamStart({ twinId, exam, readOnly }: ExamStartProps) {
  return (
    <Card aria-labelledby="twin-exam">
      <CardHeader id="twin-exam" title="Проверьте двойника до первого ответа без вас" lead />
      <CardBody className="flex flex-col gap-4">
        <p className="max-w-measure text-md">
          Двойник ответит на {plural(TWIN_EXAM_QUESTIONS, ["вопрос", "вопроса", "вопросов"])} из ваших документов и
          прошлых писем, а вы скажете о каждом ответе, отправили бы его сами: это около пяти минут. По вашим «да» и
          «нет» двойник поймёт, какие ответы можно отправлять без вас. Собеседникам ничего не уйдёт.
        </p>
        <StartButton twinId={twinId} exam={exam} readOnly={readOnly} variant="primary">
          Начать экзамен
        </StartButton>
      </CardBody>
    </Card>
  );
}

interface StartButtonProps extends ExamStartProps {
  variant?: "primary" | "outline";
  children: string;
}

export function StartButton({ twinId, exam: { cost }, readOnly, variant = "outline", children }: StartButtonProps) {
  const { start } = useTwinExamActs(twinId);
  return (
    <div className="flex flex-col items-start gap-3">
      <FormError error={start.error} />
      <Button variant={variant} busy={start.isPending} whyNot={readOnly} onClick={() => start.mutate()}>
        {children}
      </Button>
      <p className="text-muted text-sm">{costText(cost)}</p>
    </div>
  );
}

/** «Около 41 вызова модели, 60 000 токенов, примерно 12,30 ₽.» */
function costText(cost: TwinExam["cost"]): string {
  if (cost === null) return "Отвечает сам двойник, без модели: экзамен ничего не стоит.";
  const { calls, tokens, money, currency } = cost;
  const price = money === null || currency === null || money === 0 ? "" : `, примерно ${formatMoney(money, currency)}`;
  return `Уйдёт около ${plural(calls, ["вызова", "вызовов", "вызовов"])} модели: ${formatNumber(tokens)} токенов${price}.`;
}
