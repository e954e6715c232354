import { useId, useState } from "react";
import {
  BUDGET_WARNING_PERCENT,
  type DayBudget,
  MIN_DAILY_TOKENS,
  ModelBudgetInput,
} from "#contract/models/model-budget.ts";
import { serverSentenceOf } from "#web/api/api-error.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { type BudgetOf, useModelBudget, useSetModelBudget } from "./queries.ts";

interface BudgetCardProps {
  of: BudgetOf;
  may: boolean;
  /** Text when no model is configured and nothing is spent; when absent, the card is not shown. */
  withoutModel?: string;
}

const DESCRIPTIONS = {
  twin: "Сколько двойник может потратить за день на ответы модели: в чатах, по ключам, на сайте и в мессенджерах вместе.",
  organization: "Сколько все двойники организации вместе могут потратить за день на ответы модели.",
};

/** Daily usage of language model tokens, what happens at the limit, and the form for the limit where the caller may set it. */
export function BudgetCard({ of, may, withoutModel }: BudgetCardProps) {
  const heading = useId();
  const { data, isPending, error, refetch } = useModelBudget(of);
  if (error)
    return <ErrorCard title="Не удалось загрузить лимит токенов" error={error} onRetry={() => void refetch()} />;
  if (data?.budget === null && withoutModel === undefined) return null;
  if (isPending && withoutModel === undefined) return null;
  return (
    <Card aria-labelledby={heading}>
      <CardHeader id={heading} title="Лимит токенов на день" description={DESCRIPTIONS[of.kind]} />
      <CardBody>
        {isPending ? (
          <div role="status">
            <span className="sr-only">Загружаем лимит...</span>
            <Skeleton className="h-14" />
          </div>
        ) : data.budget === null ? (
          <p className="max-w-measure text-md text-muted">{withoutModel}</p>
        ) : (
          <Spent of={of} may={may} budget={data.budget} />
        )}
      </CardBody>
    </Card>
  );
}

function Spent({ of, may, budget }: Pick<BudgetCardProps, "of" | "may"> & { budget: DayBudget }) {
  const { used, limit } = budget;
  const percent = (used / limit) * 100;
  return (
    <div className="flex max-w-measure flex-col gap-5">
      <div>
        <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-md">
          <span className="font-medium">Израсходовано сегодня</span>
          <span className="text-muted tabular-nums">
            {formatNumber(used)} из {formatNumber(limit)}
          </span>
        </p>
        <Progress className="mt-2" label="Израсходовано сегодня" value={percent} />
        {percent >= BUDGET_WARNING_PERCENT && (
          <p role="status" className="mt-2 font-medium text-md text-warning-text">
            {used >= limit ? "Лимит исчерпан." : `Израсходовано ${Math.floor(percent)}% лимита.`}
          </p>
        )}
        <p className="mt-2 text-sm text-subtle">
          Токен — часть слова; один ответ стоит от одной до десяти тысяч. Счёт начинается заново в полночь по Москве.
          Когда лимит исчерпан, сообщения собеседников ждут вашего ответа, а тестовый чат и ключи API просят подождать
          до завтра.
        </p>
      </div>
      {may && <LimitForm key={budget.own} of={of} budget={budget} />}
    </div>
  );
}

function LimitForm({ of, budget: { own, most } }: { of: BudgetOf; budget: DayBudget }) {
  const save = useSetModelBudget(of);
  const [text, setText] = useState(own === null ? "" : String(own));
  const [error, setError] = useState<string>();

  function submit() {
    const digits = text.replace(/\s/g, "");
    const read = ModelBudgetInput.safeParse({ dailyTokens: Number(digits) });
    if (!read.success) return setError(read.error.issues[0]?.message);
    setError(undefined);
    save.mutate(read.data, {
      onSuccess: () => toast({ title: "Лимит сохранён" }),
      onError: (failure) => setError(serverSentenceOf(failure) ?? "Не удалось сохранить лимит. Попробуйте ещё раз."),
    });
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field
        label="Токенов в день"
        error={error}
        hint={`От ${formatNumber(MIN_DAILY_TOKENS)} до ${formatNumber(most)}. Пустое поле — обычный лимит.`}
      >
        <Input inputMode="numeric" value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <Button type="submit" className="self-start" busy={save.isPending}>
        {save.isPending ? "Сохранение..." : "Сохранить"}
      </Button>
    </form>
  );
}
