import { ChevronDown } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { type ChatFact, type ChatFacts, maskIn } from "#contract/knowledge/chat-facts.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { useDecisionKeys } from "#web/ui/decision-keys.ts";
import { Progress } from "#web/ui/figures/progress.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Card, CardHeader } from "#web/ui/layout/card.tsx";
import { MoreButton } from "#web/ui/more-button.tsx";
import { CurrentFact } from "./current-fact.tsx";
import { factsInWords, unclearInWords } from "./fact-words.ts";
import { LetterLink } from "./letter-link.tsx";
import { MaskedText } from "./masked-text.tsx";
import { type FactDecisionInput, useDecide } from "./queries.ts";

export interface FactsOfTwin {
  twinId: string;
  twinName?: string;
  data: ChatFacts;
}

interface FactsCardProps {
  title: string;
  twins: readonly FactsOfTwin[];
  readOnly: boolean;
  /** `nothing` replaces the card when no fact was waiting; `allDecided` is shown inside it once all are decided. */
  nothing: ReactNode;
  allDecided: ReactNode;
}

/** A decision made on this screen, with the facts that it covered at once and its description. */
interface Done {
  facts: readonly { twinId: string; factId: string }[];
  said: string;
}

type Fact = ChatFact & { twinId: string; twinName: string | undefined };

/** Number of facts shown at first. */
const AT_ONCE = 5;
/** Number of facts that the button for more adds. */
const MORE = 10;

const keyOf = ({ twinId, variants }: Fact) => `${twinId} ${variants[0]!.id}`;

/** Whether the fact can be confirmed unchanged: it names no person and nothing contradicts it. */
const isReady = ({ question, variants }: Fact): boolean =>
  variants.length === 1 && maskIn(question) === null && maskIn(variants[0]!.reply) === null;

/** The undecided facts of one or several twins. The owner decides one by one with shortcut keys, or confirms several at once. */
export function FactsCard(props: FactsCardProps) {
  const { title, twins, readOnly, nothing, allDecided } = props;
  const all: Fact[] = twins.flatMap(({ twinId, twinName, data }) =>
    data.facts.map((fact) => ({ ...fact, twinId, twinName })),
  );
  const clear = all.filter((fact) => fact.clear);
  const facts = [...clear, ...all.filter((fact) => !fact.clear)];
  const total = twins.reduce((sum, { data }) => sum + data.counts.total, 0);
  const left = twins.reduce((sum, { data }) => sum + data.counts.left, 0);
  const [place, setPlace] = useState(0);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [editing, setEditing] = useState(false);
  const [done, setDone] = useState<Done[]>([]);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [unfolded, setUnfolded] = useState(false);
  const [limit, setLimit] = useState(AT_ONCE);
  const decide = useDecide();
  const card = useRef<HTMLElement>(null);
  const busy = readOnly || decide.isPending;
  const at = Math.max(0, Math.min(place, facts.length - 1));
  const fact = facts[at];
  const chosen = fact?.variants.find(({ id }) => id === chosenId) ?? fact?.variants[0];
  // Unclear facts are collapsed behind the clear ones, unless the current fact is one of them.
  const open = unfolded || at >= clear.length;
  const clearShown = clear.slice(0, Math.max(limit, at + 1));
  const shown = open ? [...clearShown, ...facts.slice(clear.length)] : clearShown;
  const ready = shown.filter(isReady);
  const selected = ready.filter((one) => picked.has(keyOf(one)));

  function go(to: number) {
    setPlace(Math.max(0, Math.min(facts.length - 1, to)));
    setEditing(false);
  }

  function pick(some: readonly Fact[], on: boolean) {
    const next = new Set(picked);
    for (const one of some) {
      if (on) next.add(keyOf(one));
      else next.delete(keyOf(one));
    }
    setPicked(next);
  }

  function settle(decisions: readonly FactDecisionInput[], saidOf: (taken: readonly FactDecisionInput[]) => string) {
    decide.mutate(decisions, {
      onSuccess: (taken) => {
        setEditing(false);
        setDone((before) => [...before, { facts: taken, said: saidOf(taken) }]);
        card.current?.focus({ preventScroll: true });
      },
    });
  }

  function confirm(question: string, text: string) {
    if (busy || fact === undefined || chosen === undefined) return;
    // A fact that names a person must be reworded before it can be confirmed.
    if (maskIn(question) !== null || maskIn(text) !== null) return setEditing(true);
    const of = { twinId: fact.twinId, factId: chosen.id };
    settle([{ ...of, decision: "confirm", question, text }], () => `Подтверждено: ${text}`);
  }

  function confirmSelected() {
    if (busy || selected.length === 0) return;
    const decisions = selected.map(({ twinId, question, variants }) => ({
      ...{ twinId, factId: variants[0]!.id },
      ...{ decision: "confirm" as const, question, text: variants[0]!.reply },
    }));
    settle(decisions, (taken) => `Подтверждено сразу: ${factsInWords(taken.length)}`);
    setPicked(new Set());
  }

  function reject() {
    if (busy || fact === undefined || chosen === undefined) return;
    settle([{ twinId: fact.twinId, factId: chosen.id, decision: "reject" }], () => `Отклонено: ${chosen.reply}`);
  }

  function undo() {
    const last = done.at(-1);
    if (busy || last === undefined) return;
    decide.mutate(
      last.facts.map(({ twinId, factId }) => ({ twinId, factId, decision: "reopen" })),
      {
        onSuccess: (taken) => {
          const left = last.facts.filter(({ factId }) => !taken.some((one) => one.factId === factId));
          setDone((before) => [...before.slice(0, -1), ...(left.length > 0 ? [{ ...last, facts: left }] : [])]);
          // The last decision removes the focused button, so the card takes the focus.
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
    else if (code === "Space") fact && isReady(fact) && pick([fact], !picked.has(keyOf(fact)));
    else if (code === "ArrowDown" || code === "KeyJ") go(at + 1);
    else if (code === "ArrowUp" || code === "KeyK") go(at - 1);
    else if (variant && fact?.variants[Number(variant) - 1]) setChosenId(fact.variants[Number(variant) - 1]!.id);
    else return false;
    return true;
  }
  useDecisionKeys(card, press);
  useEffect(() => {
    if (at > 0) card.current?.querySelector(`[data-fact="${at}"]`)?.scrollIntoView({ block: "nearest" });
  }, [at]);

  if (left === 0 && done.length === 0) return nothing;
  const row = (one: Fact) => {
    const index = facts.indexOf(one);
    return (
      <li
        key={keyOf(one)}
        data-fact={index}
        aria-current={index === at || undefined}
        className="flex px-4 py-4 [overflow-wrap:anywhere] md:px-5"
      >
        {!readOnly && (
          // A fact that must be reviewed first cannot be selected with others.
          <Checkbox
            checked={picked.has(keyOf(one))}
            disabled={busy || !isReady(one)}
            onChange={({ target }) => pick([one], target.checked)}
          >
            <span className="sr-only">
              {isReady(one) ? `Выбрать: ${one.question}` : "Этот факт проверяют отдельно"}
            </span>
          </Checkbox>
        )}
        <div className="min-w-0 flex-1">
          {index === at && one.twinName && <p className="text-sm text-subtle">{one.twinName}</p>}
          {index === at && chosen ? (
            <CurrentFact
              twinId={one.twinId}
              fact={one}
              chosen={chosen}
              onChoose={setChosenId}
              editing={editing}
              busy={busy}
              primary={selected.length === 0}
              onEdit={setEditing}
              onConfirm={confirm}
              onReject={reject}
            />
          ) : (
            <>
              <OtherFact fact={one} onGo={() => go(index)} />
              <LetterLink twinId={one.twinId} variant={one.variants[0]!} />
            </>
          )}
        </div>
      </li>
    );
  };
  return (
    <Card aria-labelledby="chat-facts" ref={card} tabIndex={-1} className="outline-none">
      <CardHeader
        id="chat-facts"
        title={title}
        description="Двойник никому их не скажет, пока вы не подтвердите. Подтверждённое он скажет всем, кто спросит похожее."
        action={
          <span className="text-md text-muted tabular-nums">
            Проверено {formatNumber(total - left)} из {formatNumber(total)}
          </span>
        }
      />
      <div className="flex flex-col gap-2 border-b px-4 pb-3 md:px-5">
        <Progress label="Проверено фактов" value={((total - left) / Math.max(1, total)) * 100} />
        <div className={done.length > 0 ? "flex flex-wrap items-center justify-between gap-x-4 gap-y-1" : "sr-only"}>
          <p role="status" className="min-w-0 truncate text-muted text-sm">
            {done.at(-1)?.said ?? ""}
          </p>
          {done.length > 0 && (
            <Button variant="ghost" size="sm" disabled={busy} onClick={undo}>
              Отменить последнее
            </Button>
          )}
        </div>
        {!readOnly && ready.length > 1 && (
          <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <Checkbox
              className="items-center"
              checked={selected.length === ready.length}
              disabled={busy}
              onChange={({ target }) => pick(ready, target.checked)}
            >
              Выбрать показанные
            </Checkbox>
            {selected.length > 0 && (
              <Button variant="primary" className="max-sm:w-full" busy={decide.isPending} onClick={confirmSelected}>
                Подтвердить выбранные ({formatNumber(selected.length)})
              </Button>
            )}
          </div>
        )}
      </div>
      {fact === undefined ? (
        allDecided
      ) : (
        <ul aria-label="Факты, которые ждут решения" className="divide-y">
          {clearShown.map(row)}
        </ul>
      )}
      {clear.length > clearShown.length && (
        <div className="border-t p-2 text-center">
          <MoreButton
            left={clear.length - clearShown.length}
            step={MORE}
            onShow={() => setLimit(clearShown.length + MORE)}
          />
        </div>
      )}
      {facts.length > clear.length && (
        <div className="border-t">
          <Button
            variant="ghost"
            className="m-2"
            aria-expanded={open}
            disabled={at >= clear.length}
            onClick={() => setUnfolded(!open)}
          >
            <ChevronDown aria-hidden className={open ? "icon rotate-180" : "icon"} />
            {unclearInWords(facts.length - clear.length, clear.length === 0)}
          </Button>
          {open && (
            <ul aria-label="Факты без ясного вопроса" className="divide-y border-t">
              {facts.slice(clear.length).map(row)}
            </ul>
          )}
        </div>
      )}
      <p className="hidden border-t px-5 py-3 text-sm text-subtle md:block">
        Ещё клавиши: стрелки листают, пробел выбирает, Z отменяет последнее.
      </p>
    </Card>
  );
}

/** A fact that is not the current one; clicking it makes it current. */
function OtherFact({ fact: { question, variants, twinName }, onGo }: { fact: Fact; onGo: () => void }) {
  return (
    <button type="button" className="flex w-full gap-x-4 text-start" onClick={onGo}>
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 text-md text-muted">
          <MaskedText text={question} />
        </span>
        <span className="line-clamp-2 text-md">
          <MaskedText text={variants[0]!.reply} />
        </span>
        {twinName && <span className="block text-sm text-subtle">{twinName}</span>}
        {variants.length > 1 && (
          <Badge tone="warning" className="mt-1">
            Отвечали по-разному
          </Badge>
        )}
      </span>
      <ChevronDown aria-hidden className="icon self-center text-subtle" />
    </button>
  );
}
