import { ChevronDown, Lock } from "lucide-react";
import { useRef, useState } from "react";
import type { OpenReply, ReplyProposal } from "#contract/knowledge/open-replies.ts";
import { plural } from "#web/i18n/plural.ts";
import { unclearInWords } from "#web/parts/facts/fact-words.ts";
import { Button } from "#web/ui/button.tsx";
import { useDecisionKeys } from "#web/ui/decision-keys.ts";
import { KeyHint } from "#web/ui/key-hint.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { actionToast } from "#web/ui/toasts/action-toast.tsx";
import { useIsDesktop } from "#web/ui/use-is-desktop.ts";
import { OpenForm } from "./open-form.tsx";
import { toastSaveFailure, useOpen, useSkip, useUnopen } from "./queries.ts";

interface ProposalsCardProps {
  twinId: string;
  proposals: readonly ReplyProposal[];
  total: number;
  readOnly: boolean;
}

type Done = { kind: "opened"; reply: OpenReply } | { kind: "skipped"; proposalId: string };

const PEOPLE_DATIVE_FORMS = ["человеку", "людям", "людям"] as const;
const PEOPLE_FORMS = ["человек", "человека", "человек"] as const;

const reasonOf = ({ reason, people }: ReplyProposal) =>
  reason === "said"
    ? `Похожее вы написали ${plural(people, PEOPLE_DATIVE_FORMS)}`
    : `Об этом ${people === 1 ? "спросил" : "спросили"} ${plural(people, PEOPLE_FORMS)}`;

/** What could be opened, in a line instead of a card. */
function ProposalsLine({ text, onOpen }: { text: string; onOpen: (() => void) | undefined }) {
  return (
    <section aria-label="Что можно открыть" className="flex items-center gap-x-4 border-y py-2">
      <p className="min-w-0 flex-1 text-md text-muted">{text}</p>
      {onOpen && <Button onClick={onOpen}>Посмотреть</Button>}
    </section>
  );
}

/** Shows one proposal at a time, with a shortcut key for each decision. */
export function ProposalsCard({ twinId, proposals, total, readOnly }: ProposalsCardProps) {
  const isDesktop = useIsDesktop();
  const [expanded, setExpanded] = useState(false);
  const [unfolded, setUnfolded] = useState(false);
  const [place, setPlace] = useState(0);
  const [editing, setEditing] = useState(false);
  const [done, setDone] = useState<Done[]>([]);
  const [open, skip, unopen] = [useOpen(twinId), useSkip(twinId), useUnopen(twinId)];
  const card = useRef<HTMLElement>(null);
  const busy = readOnly || open.isPending || skip.isPending || unopen.isPending;
  // Proposals that are not questions come last, and are shown only on request.
  const clear = proposals.filter((one) => one.clear);
  const folded = proposals.length - clear.length;
  const shown = unfolded ? [...clear, ...proposals.filter((one) => !one.clear)] : clear;
  const at = Math.min(place, shown.length - 1);
  const current = shown[at];

  // On a narrow screen the card would move the owner's answers out of the window, so that it opens from a line.
  const isLine = !isDesktop && !expanded;

  const move = (step: number) => setPlace(Math.max(0, Math.min(shown.length - 1, at + step)));

  function openAs(question: string, reply: string) {
    if (busy || current === undefined) return;
    open.mutate(
      { pairId: current.pair.id, question, reply },
      {
        onSuccess: (made) => {
          setEditing(false);
          setDone((before) => [...before, { kind: "opened", reply: made }]);
          actionToast("Ответ открыт всем", [{ label: "Отменить", onPress: () => unopen.mutate(made.id) }]);
          card.current?.focus({ preventScroll: true });
        },
        onError: toastSaveFailure,
      },
    );
  }

  function pass() {
    if (busy || current === undefined) return;
    const { id: proposalId } = current;
    skip.mutate(
      { proposalId, skipped: true },
      { onSuccess: () => setDone((before) => [...before, { kind: "skipped", proposalId }]) },
    );
  }

  function undo() {
    const last = done.at(-1);
    if (busy || last === undefined) return;
    setDone(done.slice(0, -1));
    if (last.kind === "opened") unopen.mutate(last.reply.id);
    else skip.mutate({ proposalId: last.proposalId, skipped: false });
  }

  useDecisionKeys(card, (code) => {
    if (isLine) return false;
    if (code === "Enter" || code === "KeyY" || code === "KeyE") setEditing(current !== undefined && !readOnly);
    else if (code === "KeyN") pass();
    else if (code === "KeyZ") undo();
    else if (code === "ArrowDown" || code === "KeyJ") move(1);
    else if (code === "ArrowUp" || code === "KeyK") move(-1);
    else return false;
    return true;
  });

  const undoButton = done.length > 0 && (
    <Button variant="ghost" disabled={busy} onClick={undo}>
      Отменить последнее
    </Button>
  );
  // A card that promises something to open holds it: without a clear proposal a line says what there is.
  if (current === undefined && done.length === 0) {
    return (
      <ProposalsLine
        text={
          folded === 0
            ? "Когда похожие вопросы повторятся, здесь появится, что можно открыть всем."
            : `Можно открыть ещё ${plural(folded, ["ответ", "ответа", "ответов"])}, но\u00a0вопрос неясен.`
        }
        onOpen={
          folded > 0
            ? () => {
                setExpanded(true);
                setUnfolded(true);
              }
            : undefined
        }
      />
    );
  }
  if (isLine) {
    return (
      <ProposalsLine
        text={`Можно открыть ещё ${plural(shown.length, ["ответ", "ответа", "ответов"])}.`}
        onOpen={() => setExpanded(true)}
      />
    );
  }
  return (
    <Card aria-labelledby="proposals" ref={card} tabIndex={-1} className="outline-none">
      <CardHeader
        id="proposals"
        title="Что можно открыть"
        description="О чём спрашивают многие, а отвечали вы пока каждому отдельно."
        action={
          current && (
            <span className="text-md text-muted tabular-nums">{`${at + 1} из ${unfolded ? total : total - folded}`}</span>
          )
        }
      />
      {current === undefined && (
        <EmptyState
          icon={Lock}
          title="Предлагать нечего"
          description="Когда похожие вопросы повторятся с разными людьми, они появятся здесь."
          action={undoButton}
        />
      )}
      {current !== undefined && (
        <CardBody>
          <p className="text-sm text-subtle" role="status">
            {reasonOf(current)}
          </p>
          {editing ? (
            <OpenForm
              key={current.id}
              pair={current.pair}
              busy={busy}
              onOpen={openAs}
              onCancel={() => setEditing(false)}
            />
          ) : (
            <>
              <div className="mt-2 max-w-measure text-md [overflow-wrap:anywhere]">
                <p className="whitespace-pre-line text-muted">
                  {current.pair.contactName}: {current.pair.incoming}
                </p>
                <p className="mt-1 whitespace-pre-line">{current.pair.reply}</p>
              </div>
              <div className="mt-4 flex flex-wrap gap-2">
                <Button variant="primary" className="max-sm:w-full" disabled={busy} onClick={() => setEditing(true)}>
                  Открыть всем…
                  <KeyHint>Y</KeyHint>
                </Button>
                <Button className="max-sm:w-full" disabled={busy} onClick={pass}>
                  Не открывать
                  <KeyHint>N</KeyHint>
                </Button>
                {undoButton}
              </div>
              <p className="mt-3 hidden text-sm text-subtle md:block">
                Ещё клавиши: стрелки листают, Z отменяет последнее.
              </p>
            </>
          )}
        </CardBody>
      )}
      {folded > 0 && !unfolded && (
        <div className="border-t p-2">
          <Button variant="ghost" onClick={() => setUnfolded(true)}>
            <ChevronDown aria-hidden className="icon" />
            {unclearInWords(folded, current === undefined)}
          </Button>
        </div>
      )}
    </Card>
  );
}
