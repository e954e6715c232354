import { type ReactNode, useEffect, useRef, useState } from "react";
import { type ChatFacts, maskIn } from "#contract/knowledge/chat-facts.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { Card, CardHeader } from "#web/ui/layout/card.tsx";
import { MoreButton } from "#web/ui/more-button.tsx";
import { CurrentFact } from "./current-fact.tsx";
import { useFactKeys } from "./fact-keys.ts";
import { MaskedText } from "./masked-text.tsx";
import { useDecide } from "./queries.ts";

export interface FactsOfTwin {
  twinId: string;
  /** Left out where all facts are of one twin. */
  twinName?: string;
  data: ChatFacts;
}

interface FactsCardProps {
  title: string;
  twins: readonly FactsOfTwin[];
  readOnly: boolean;
  /** Shown in place of the card where no fact has waited, and in the card once all are decided. */
  nothing: ReactNode;
  allDecided: ReactNode;
  /** How many stand in the list before more are asked for. */
  atOnce?: number;
}

/** The decisions made so far, oldest first, and how each is described. */
interface Done {
  twinId: string;
  factId: string;
  said: string;
}

const MORE = 50;

/** Steps through the facts that wait, of one twin or of several, with a keyboard shortcut for each decision. */
export function FactsCard(props: FactsCardProps) {
  const { title, twins, readOnly, nothing, allDecided, atOnce = Number.POSITIVE_INFINITY } = props;
  const facts = twins.flatMap(({ twinId, twinName, data }) =>
    data.facts.map((fact) => ({ ...fact, twinId, twinName })),
  );
  const total = twins.reduce((sum, { data }) => sum + data.counts.total, 0);
  const left = twins.reduce((sum, { data }) => sum + data.counts.left, 0);
  const [place, setPlace] = useState(0);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [editing, setEditing] = useState(false);
  const [done, setDone] = useState<Done[]>([]);
  /** There is nothing to show of what has been done, and nothing to undo, before the first decision. */
  const [begun, setBegun] = useState(false);
  const decide = useDecide();
  const [limit, setLimit] = useState(atOnce);
  const card = useRef<HTMLElement>(null);
  const busy = readOnly || decide.isPending;
  const at = Math.max(0, Math.min(place, facts.length - 1));
  const fact = facts[at];
  const chosen = fact?.variants.find(({ id }) => id === chosenId) ?? fact?.variants[0];

  function go(to: number) {
    setPlace(Math.max(0, Math.min(facts.length - 1, to)));
    setEditing(false);
  }

  function settled(one: Done) {
    setEditing(false);
    setBegun(true);
    setDone((before) => [...before, one]);
    card.current?.focus({ preventScroll: true });
  }

  function confirm(question: string, text: string) {
    if (busy || fact === undefined || chosen === undefined) return;
    // A fact that names a person must be reworded before it can be confirmed.
    if (maskIn(question) !== null || maskIn(text) !== null) return setEditing(true);
    const of = { twinId: fact.twinId, factId: chosen.id };
    decide.mutate(
      { ...of, decision: "confirm", question, text },
      { onSuccess: () => settled({ ...of, said: `Подтверждено: ${text}` }) },
    );
  }

  function reject() {
    if (busy || fact === undefined || chosen === undefined) return;
    const of = { twinId: fact.twinId, factId: chosen.id };
    const said = `Отклонено: ${chosen.reply}`;
    decide.mutate({ ...of, decision: "reject" }, { onSuccess: () => settled({ ...of, said }) });
  }

  function undo() {
    const last = done.at(-1);
    if (busy || last === undefined) return;
    decide.mutate(
      { twinId: last.twinId, factId: last.factId, decision: "reopen" },
      {
        onSuccess: () => {
          setDone((before) => before.slice(0, -1));
          // With the last decision its button is gone.
          card.current?.focus({ preventScroll: true });
        },
      },
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

  if (left === 0 && done.length === 0) return nothing;
  const shown = facts.slice(0, Math.max(limit, at + 1));
  const underWay = begun || left < total;
  return (
    <Card aria-labelledby="chat-facts" ref={card} tabIndex={-1} className="outline-none">
      <CardHeader
        id="chat-facts"
        title={title}
        description="Двойник никому их не скажет, пока вы не подтвердите."
        action={
          underWay && (
            <span className="text-md text-muted tabular-nums">
              Осталось {formatNumber(left)} из {formatNumber(total)}
            </span>
          )
        }
      />
      <div className={underWay ? "border-b px-4 py-3 md:px-5" : "sr-only"}>
        {underWay && <Progress label="Разобрано фактов" value={((total - left) / Math.max(1, total)) * 100} />}
        <div
          className={done.length > 0 ? "mt-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1" : undefined}
        >
          <p role="status" className="min-w-0 truncate text-muted text-sm">
            {done.at(-1)?.said ?? ""}
          </p>
          {done.length > 0 && (
            <Button variant="ghost" size="sm" disabled={busy} onClick={undo}>
              Отменить последнее
            </Button>
          )}
        </div>
      </div>
      {fact === undefined ? (
        allDecided
      ) : (
        <ul aria-label="Факты, которые ждут решения" className="divide-y">
          {shown.map((one, index) => (
            <li
              key={`${one.twinId} ${one.variants[0]!.id}`}
              data-fact={index}
              aria-current={index === at || undefined}
              className="px-4 py-4 [overflow-wrap:anywhere] aria-current:bg-surface md:px-5"
            >
              {index === at && one.twinName && <p className="text-sm text-subtle">{one.twinName}</p>}
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
                <button
                  type="button"
                  className="w-full cursor-pointer items-baseline gap-x-4 text-start sm:flex"
                  onClick={() => go(index)}
                >
                  <span className="block min-w-0 flex-1">
                    <span className="line-clamp-2 text-md text-muted">
                      <MaskedText text={one.question} />
                    </span>
                    <span className="line-clamp-2 text-md">
                      <MaskedText text={one.variants[0]!.reply} />
                      {one.variants.length > 1 && <span className="text-subtle"> · отвечали по-разному</span>}
                    </span>
                  </span>
                  {one.twinName && <span className="shrink-0 text-sm text-subtle">{one.twinName}</span>}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {facts.length > shown.length && (
        <div className="border-t p-2 text-center">
          <MoreButton left={facts.length - shown.length} step={MORE} onShow={() => setLimit(shown.length + MORE)} />
        </div>
      )}
      <p className="hidden border-t px-5 py-3 text-sm text-subtle md:block">
        Клавиши: Enter или Y подтвердить, E изменить, N отклонить, Z отменить последнее, стрелки листать, цифры выбрать
        ответ.
      </p>
    </Card>
  );
}
