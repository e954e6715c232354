import { lazy, Suspense, useState } from "react";
import type { ConfirmedFact } from "#contract/knowledge/confirmed-facts.ts";
import { failed, useRemoveCorrection, useUpdateCorrection } from "#web/parts/corrections/queries.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { actionToast } from "#web/ui/toasts/action-toast.tsx";
import { wholeNumbers } from "#web/ui/whole-numbers.ts";
import { type LoadedUses, UseLine } from "../uses.tsx";

const FactForm = lazy(() => import("#web/parts/facts/fact-form.tsx").then(({ FactForm }) => ({ default: FactForm })));

interface FactRowProps {
  fact: ConfirmedFact;
  withTwin: boolean;
  uses: LoadedUses;
}

export function FactRow({ fact, withTwin, uses }: FactRowProps) {
  const { id, digitalTwinId, digitalTwinName, question, text, fromLetters, active } = fact;
  const [editing, setEditing] = useState(false);
  const readOnly = useReadOnly();
  const update = useUpdateCorrection(digitalTwinId);
  const remove = useRemoveCorrection(digitalTwinId);
  const busy = update.isPending || remove.isPending;

  /** A changed fact becomes another correction with another id. */
  const teach = (correctionId: string, words: Pick<ConfirmedFact, "question" | "text">, rewordings: string[]) =>
    update.mutateAsync({
      correctionId,
      lesson: { kind: "fact", ...words, rewordings, rules: [], scope: "everybody" },
    });

  async function save(changed: Pick<ConfirmedFact, "question" | "text">) {
    try {
      const after = await teach(id, changed, fact.rewordings);
      setEditing(false);
      const undo = () => teach(after.id, { question, text }, fact.rewordings).catch(failed);
      actionToast("Факт изменён", [{ label: "Отменить", onPress: () => void undo() }]);
    } catch (error) {
      failed(error);
    }
  }

  const turn = (on: boolean) => update.mutate({ correctionId: id, active: on }, { onError: failed });

  function forget() {
    remove.mutate(id, {
      onSuccess: () => actionToast("Двойник это забыл", [{ label: "Вернуть", onPress: () => turn(active) }]),
    });
  }

  if (editing) {
    return (
      <li className="px-2 py-4">
        <Suspense fallback={<LoadingStatus className="min-h-40">Загрузка...</LoadingStatus>}>
          <FactForm
            confirmed
            question={question}
            text={text}
            busy={busy}
            onConfirm={(newQuestion, newText) => void save({ question: newQuestion, text: newText })}
            onCancel={() => setEditing(false)}
          />
        </Suspense>
      </li>
    );
  }
  return (
    <li className="grid items-center gap-x-4 gap-y-1 px-2 py-3 hover:bg-hover md:grid-cols-[minmax(0,1fr)_18rem_auto] md:py-2">
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="text-muted text-sm">{question}</p>
        <p className="whitespace-pre-line text-md">
          {wholeNumbers(text)} {!active && <Badge>Выключен</Badge>}
        </p>
      </div>
      <div className="text-muted text-sm">
        <p className="max-md:has-data-none:hidden">
          <span className="md:sr-only">Ответы за 30 дней: </span>
          <UseLine use={uses.of({ fact: text })} uses={uses} name={question} />
        </p>
        <p className="text-subtle">
          {fromLetters ? "Из переписки" : "Из исправления"}
          {withTwin && ` · ${digitalTwinName}`}
        </p>
      </div>
      <div className="-ms-3 flex gap-x-1 max-md:mt-1">
        <Button
          variant="ghost"
          size="sm"
          aria-label={`Изменить факт «${question}»`}
          whyNot={readOnly}
          disabled={busy}
          onClick={() => setEditing(true)}
        >
          Изменить
        </Button>
        <Button
          variant="ghost"
          size="sm"
          aria-label={`${active ? "Выключить" : "Включить"} факт «${question}»`}
          whyNot={readOnly}
          disabled={busy}
          onClick={() => turn(!active)}
        >
          {active ? "Выключить" : "Включить"}
        </Button>
        <Button
          variant="ghost"
          size="sm"
          aria-label={`Удалить факт «${question}»`}
          whyNot={readOnly}
          disabled={busy}
          onClick={forget}
        >
          Удалить
        </Button>
      </div>
    </li>
  );
}
