import { Check } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { BlindPair, BlindResult, BlindTest } from "#contract/quality.ts";
import { messageOf } from "#web/api/api-error.ts";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { ScrollRegion } from "#web/ui/layout/scroll-region.tsx";
import { Dialog, DialogContent, DialogFooter } from "#web/ui/overlays/dialog.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { verdictOf } from "./blind-test-verdict.ts";
import { useBlindAnswers, useBlindTest } from "./queries.ts";

interface BlindTestDialogProps {
  twinId: string;
  onClose: () => void;
}

type Choice = 0 | 1;

export default function BlindTestDialog({ twinId, onClose }: BlindTestDialogProps) {
  const test = useBlindTest(twinId);
  const { mutate } = test;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one test for each opening
  useEffect(() => mutate(), []);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title="Какой ответ ваш?" description="Один ответ написали вы, другой — двойник" size="lg">
        {test.data ? (
          <Questions key={test.data.id} twinId={twinId} test={test.data} onAgain={mutate} onClose={onClose} />
        ) : test.error ? (
          <ErrorCard title="Не удалось начать тест" detail={messageOf(test.error)} onRetry={mutate} />
        ) : (
          <LoadingStatus className="min-h-60">Подбираем ответы...</LoadingStatus>
        )}
      </DialogContent>
    </Dialog>
  );
}

interface QuestionsProps {
  twinId: string;
  test: BlindTest;
  onAgain: () => void;
  onClose: () => void;
}

function Questions({ twinId, test, onAgain, onClose }: QuestionsProps) {
  const [choices, setChoices] = useState<Choice[]>([]);
  const answers = useBlindAnswers(twinId);
  const place = useRef<HTMLDivElement>(null);
  const { pairs } = test;

  function send(chosen: readonly Choice[]) {
    answers.mutate({ test: test.id, answers: chosen.map((choice, at) => ({ id: pairs[at]!.id, choice })) });
  }
  /** The clicked button disappears, so the focus moves and screen readers read the new content from its start. */
  function show(chosen: Choice[]) {
    setChoices(chosen);
    place.current?.focus();
  }
  function choose(choice: Choice) {
    const chosen = [...choices, choice];
    show(chosen);
    if (chosen.length === pairs.length) send(chosen);
  }

  const pair = pairs[choices.length];
  return (
    <div ref={place} tabIndex={-1} className="focus:outline-none">
      {pair && (
        <>
          <p className="mb-2 text-md text-muted tabular-nums">
            Вопрос {choices.length + 1} из {pairs.length}
          </p>
          <Progress value={choices.length / pairs.length} label="Пройдено" />
          <Question pair={pair} onChoose={choose} />
          {choices.length > 0 && (
            <DialogFooter>
              <Button onClick={() => show(choices.slice(0, -1))}>Назад</Button>
            </DialogFooter>
          )}
        </>
      )}
      {!pair && answers.isPending && <LoadingStatus className="min-h-60">Считаем...</LoadingStatus>}
      {!pair && answers.error && (
        <ErrorCard
          title="Не удалось сохранить ответы"
          detail={messageOf(answers.error)}
          onRetry={() => send(choices)}
        />
      )}
      {answers.data && <Result result={answers.data} test={test} onAgain={onAgain} onClose={onClose} />}
    </div>
  );
}

function Question({ pair, onChoose }: { pair: BlindPair; onChoose: (choice: Choice) => void }) {
  return (
    <>
      <p className="mt-4 max-w-measure text-md [overflow-wrap:anywhere]">
        <span className="text-muted">{pair.contactName}: </span>
        {pair.incoming}
      </p>
      <div className="mt-4 grid gap-3 sm:grid-cols-2">
        {([0, 1] as const).map((choice) => (
          <button
            key={choice}
            type="button"
            onClick={() => onChoose(choice)}
            aria-label={`Мой ответ: ${pair.replies[choice]}`}
            className="min-h-24 rounded-lg border border-control p-4 text-start text-md hover:border-primary hover:bg-hover"
          >
            <span className="whitespace-pre-line [overflow-wrap:anywhere]">{pair.replies[choice]}</span>
          </button>
        ))}
      </div>
    </>
  );
}

interface ResultProps {
  result: BlindResult;
  test: BlindTest;
  onAgain: () => void;
  onClose: () => void;
}

function Result({ result, test, onAgain, onClose }: ResultProps) {
  const own = new Map(result.own.map(({ id, choice }) => [id, choice]));
  return (
    <div role="status">
      <p className="font-semibold text-2xl tracking-head">
        Вы узнали себя в {result.right} из {result.total}
      </p>
      <p className="mt-1 max-w-measure text-md text-muted">{verdictOf(result)}</p>
      <ScrollRegion aria-label="Где был ваш ответ" className="mt-4 max-h-80">
        <ul className="flex flex-col gap-3 pe-1">
          {test.pairs.map((pair) => (
            <li key={pair.id} className="rounded-lg border p-3 text-md">
              <p className="text-muted [overflow-wrap:anywhere]">{pair.incoming}</p>
              {([0, 1] as const).map((choice) => (
                <p key={choice} className="mt-1 flex gap-2 [overflow-wrap:anywhere]">
                  {own.get(pair.id) === choice ? (
                    <Check aria-label="Ваш ответ:" className="icon mt-0.5 shrink-0 text-success-text" />
                  ) : (
                    <span className="w-4 shrink-0" />
                  )}
                  {pair.replies[choice]}
                </p>
              ))}
            </li>
          ))}
        </ul>
      </ScrollRegion>
      <DialogFooter>
        <Button onClick={onAgain}>Ещё раз</Button>
        <Button variant="primary" onClick={onClose}>
          Закрыть
        </Button>
      </DialogFooter>
    </div>
  );
}
