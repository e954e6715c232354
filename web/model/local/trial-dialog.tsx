import { type FormEvent, useState } from "react";
import type { LocalModel, ModelTrial } from "#contract/models/local-models.ts";
import { messageOf } from "#web/api/api-error.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { formatSize } from "#web/i18n/size.ts";
import { useTrial } from "#web/parts/local-models/queries.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { Dialog, DialogContent, DialogFooter } from "#web/ui/overlays/dialog.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";

export default function TrialDialog({ model, onClose }: { model: LocalModel; onClose: () => void }) {
  const [question, setQuestion] = useState("Чем вы можете помочь покупателю магазина?");
  const trial = useTrial(model.id);
  const empty = question.trim() === "";

  function ask(event: FormEvent) {
    event.preventDefault();
    if (!empty && !trial.isPending) trial.mutate(question);
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={`Проверить ${model.name}`}
        description="Модель ответит сама, без знаний и манеры двойника: так видно её скорость и память"
      >
        <form onSubmit={ask}>
          <Field label="Вопрос">
            <Textarea
              value={question}
              rows={3}
              maxLength={1000}
              onChange={(event) => setQuestion(event.target.value)}
            />
          </Field>
          <div role="status" className="mt-4 text-md empty:hidden">
            {trial.isPending && (
              <LoadingStatus className="justify-start!">
                Модель загружается и отвечает. Это может занять минуту...
              </LoadingStatus>
            )}
            {!trial.isPending && trial.data && <Outcome trial={trial.data} />}
          </div>
          {trial.isError && (
            <p role="alert" className="mt-4 text-danger-text text-md">
              {messageOf(trial.error)}
            </p>
          )}
          <DialogFooter>
            <Button onClick={onClose}>Закрыть</Button>
            <Button type="submit" variant="primary" busy={trial.isPending} disabled={empty}>
              Спросить
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}

const seconds = (ms: number) => `${formatNumber(Math.round(ms / 100) / 10)}\u00a0с`;

function Outcome({ trial: { text, loadMs, firstTokenMs, tokensPerSecond, memoryBytes } }: { trial: ModelTrial }) {
  const figures = [
    ["Загрузка в память", loadMs < 50 ? "уже загружена" : seconds(loadMs)],
    ["До первого слова", seconds(firstTokenMs)],
    ["Токенов в секунду", tokensPerSecond === null ? "ответ слишком короток" : formatNumber(tokensPerSecond)],
    ["Память", memoryBytes === null ? "эта система не сообщает" : formatSize(memoryBytes)],
  ] as const;
  return (
    <>
      <p className="whitespace-pre-line rounded-md bg-sunken p-3 [overflow-wrap:anywhere]">
        {text === "" ? "Модель ничего не ответила" : text}
      </p>
      <dl className="mt-3 grid grid-cols-1 gap-x-4 gap-y-1 tabular-nums sm:grid-cols-2">
        {figures.map(([label, value]) => (
          <div key={label} className="flex justify-between gap-4 border-b py-1 last:border-b-0">
            <dt className="text-muted">{label}</dt>
            <dd className="text-end font-medium">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
