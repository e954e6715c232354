import { useEffect, useRef, useState } from "react";
import { type ChatFacts, maskIn } from "#contract/knowledge/chat-facts.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { foundInWords } from "#web/parts/facts/fact-words.ts";
import { useDecide } from "#web/parts/facts/queries.ts";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { Card, CardHeader } from "#web/ui/layout/card.tsx";
import { CurrentFact } from "./current-fact.tsx";
import { useFactKeys } from "./fact-keys.ts";
import { MaskedText } from "./masked-text.tsx";
import { NoFacts } from "./no-facts.tsx";

interface FactsCardProps {
  twinId: string;
  data: ChatFacts;
  readOnly: boolean;
}

/** The decisions made so far, oldest first, and how each is described. */
interface Done {
  factId: string;
  said: string;
}

/** Steps through all found facts with a keyboard shortcut for each decision. */
export function FactsCard({ twinId, data: { facts, counts, looking }, readOnly }: FactsCardProps) {
  const [place, setPlace] = useState(0);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [editing, setEditing] = useState(false);
  const [done, setDone] = useState<Done[]>([]);
  const decide = useDecide(twinId);
  const card = useRef<HTMLElement>(null);
  const busy = readOnly || decide.isPending;
  const at = Math.max(0, Math.min(place, facts.length - 1));
  const fact = facts[at];
  const chosen = fact?.variants.find(({ id }) => id === chosenId) ?? fact?.variants[0];

  function go(to: number) {
    setPlace(Math.max(0, Math.min(facts.length - 1, to)));
    setEditing(false);
  }

  function settled(factId: string, said: string) {
    setEditing(false);
    setDone((before) => [...before, { factId, said }]);
    card.current?.focus({ preventScroll: true });
  }

  function confirm(question: string, text: string) {
    if (busy || chosen === undefined) return;
    // A fact that names a person must be reworded before it can be confirmed.
    if (maskIn(question) !== null || maskIn(text) !== null) return setEditing(true);
    const { id: factId } = chosen;
    decide.mutate(
      { factId, decision: "confirm", question, text },
      { onSuccess: () => settled(factId, `Подтверждено: ${text}`) },
    );
  }

  function reject() {
    if (busy || chosen === undefined) return;
    const { id: factId, reply } = chosen;
    decide.mutate({ factId, decision: "reject" }, { onSuccess: () => settled(factId, `Отклонено: ${reply}`) });
  }

  function undo() {
    const last = done.at(-1);
    if (busy || last === undefined) return;
    decide.mutate(
      { factId: last.factId, decision: "reopen" },
      { onSuccess: () => setDone((before) => before.slice(0, -1)) },
    );
  }

  function press(code: string): boolean {
    if (editing) return false;
    const variant = /^Digit([1-9])$/.exec(code)?.[1];
    if (code === "Enter" || code === "KeyY") fact && chosen && confirm(fact.question, chosen.reply);
    else if (code === "KeyE") setEditing(fact !== undefined && !readOnly);
    else if (code === "KeyN") reject();
    else if (code === "KeyZ") undo();
    else if (code === "ArrowDown" || code === "KeyJ") go(at + 1);
    else if (code === "ArrowUp" || code === "KeyK") go(at - 1);
    else if (variant && fact?.variants[Number(variant) - 1]) setChosenId(fact.variants[Number(variant) - 1]!.id);
    else return false;
    return true;
  }
  useFactKeys(card, press);
  useEffect(() => {
    if (at > 0) card.current?.querySelector(`[data-fact="${at}"]`)?.scrollIntoView({ block: "nearest" });
  }, [at]);

  if (counts.left === 0 && done.length === 0) return <NoFacts twinId={twinId} total={counts.total} looking={looking} />;
  const decided = counts.total - counts.left;
  return (
    <Card aria-labelledby="chat-facts" ref={card} tabIndex={-1} className="outline-none">
      <CardHeader
        id="chat-facts"
        title={foundInWords(counts.total)}
        description="Двойник никому их не скажет, пока вы не подтвердите. Подтверждённое он отвечает всем, кто спросит."
        action={
          <span className="text-md text-muted tabular-nums">
            Осталось {formatNumber(counts.left)} из {formatNumber(counts.total)}
          </span>
        }
      />
      <div className="border-b px-4 py-3 md:px-5">
        <Progress label="Разобрано фактов" value={(decided / Math.max(1, counts.total)) * 100} />
        <div className="mt-2 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <p role="status" className="min-w-0 truncate text-muted text-sm">
            {done.at(-1)?.said ?? ""}
          </p>
          <Button variant="ghost" size="sm" disabled={busy || done.length === 0} onClick={undo}>
            Отменить последнее
          </Button>
        </div>
      </div>
      {fact === undefined ? (
        <NoFacts bare twinId={twinId} total={counts.total} looking={looking} />
      ) : (
        <ul aria-label="Факты, которые ждут решения" className="divide-y">
          {facts.map((one, index) => (
            <li
              key={one.variants[0]!.id}
              data-fact={index}
              aria-current={index === at || undefined}
              className="px-4 py-4 [overflow-wrap:anywhere] aria-current:bg-surface md:px-5"
            >
              {index === at && chosen ? (
                <CurrentFact
                  fact={one}
                  chosen={chosen}
                  onChoose={setChosenId}
                  editing={editing}
                  busy={busy}
                  onEdit={setEditing}
                  onConfirm={confirm}
                  onReject={reject}
                />
              ) : (
                <button type="button" className="w-full cursor-pointer text-start" onClick={() => go(index)}>
                  <span className="block truncate text-md text-muted">
                    <MaskedText text={one.question} />
                  </span>
                  <span className="block truncate text-md">
                    <MaskedText text={one.variants[0]!.reply} />
                    {one.variants.length > 1 && <span className="text-subtle"> · отвечали по-разному</span>}
                  </span>
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <p className="hidden border-t px-5 py-3 text-sm text-subtle md:block">
        Клавиши: Enter или Y подтвердить, E изменить, N отклонить, Z отменить последнее, стрелки листать, цифры выбрать
        ответ.
      </p>
    </Card>
  );
}
