import { Lock } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { OpenReply, ReplyProposal } from "#contract/knowledge/open-replies.ts";
import { plural } from "#web/i18n/plural.ts";
import { Button } from "#web/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { actionToast } from "#web/ui/toasts/action-toast.tsx";
import { OpenForm } from "./open-form.tsx";
import { failed, useOpen, useSkip, useUnopen } from "./queries.ts";

interface ProposalsCardProps {
  twinId: string;
  proposals: readonly ReplyProposal[];
  /** More may wait than are shown. */
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

/** One proposal at a time, with a key for each decision. */
export function ProposalsCard({ twinId, proposals, total, readOnly }: ProposalsCardProps) {
  const [place, setPlace] = useState(0);
  const [editing, setEditing] = useState(false);
  const [done, setDone] = useState<Done[]>([]);
  const [open, skip, unopen] = [useOpen(twinId), useSkip(twinId), useUnopen(twinId)];
  const card = useRef<HTMLElement>(null);
  const busy = readOnly || open.isPending || skip.isPending || unopen.isPending;
  const at = Math.min(place, proposals.length - 1);
  const current = proposals[at];

  const move = (step: number) => setPlace(Math.max(0, Math.min(proposals.length - 1, at + step)));

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
        onError: failed,
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

  /** @returns whether the key means anything here */
  function press(code: string): boolean {
    if (code === "KeyO") setEditing(current !== undefined && !readOnly);
    else if (code === "Space") pass();
    else if (code === "KeyZ") undo();
    else if (code === "ArrowRight" || code === "ArrowDown") move(1);
    else if (code === "ArrowLeft" || code === "ArrowUp") move(-1);
    else return false;
    return true;
  }

  // The listener is registered once and always calls the handler of the latest render.
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target as HTMLElement;
      // After a navigation the focus is on the heading, where the keys must work too.
      const own = target.matches("body, h1") || card.current?.contains(target) === true;
      // A field takes its letters, and a button its space.
      if (!own || target.closest("input, textarea, select, [contenteditable]")) return;
      if (event.code === "Space" && target.closest("button, a")) return;
      if (latest.current(event.code)) event.preventDefault();
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);

  return (
    <Card aria-labelledby="proposals" ref={card} tabIndex={-1} className="outline-none">
      <CardHeader
        id="proposals"
        title="Что можно открыть"
        description="Эти ответы пригодились бы многим. Пока их видит только тот, кому вы их написали."
        action={total > 0 && <span className="text-md text-muted tabular-nums">{`${at + 1} из ${total}`}</span>}
      />
      {current === undefined ? (
        <EmptyState
          icon={Lock}
          title="Предлагать нечего"
          description="Когда похожие вопросы или ответы повторятся с разными людьми, они появятся здесь."
          action={
            done.length > 0 && (
              <Button disabled={busy} onClick={undo}>
                Отменить последнее
              </Button>
            )
          }
        />
      ) : (
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
                <Button variant="primary" disabled={busy} onClick={() => setEditing(true)}>
                  Открыть всем…
                </Button>
                <Button disabled={busy} onClick={pass}>
                  Не открывать
                </Button>
                {done.length > 0 && (
                  <Button variant="ghost" disabled={busy} onClick={undo}>
                    Отменить последнее
                  </Button>
                )}
              </div>
              <p className="mt-3 hidden text-sm text-subtle md:block">
                Клавиши: O открыть, пробел пропустить, Z отменить, стрелки листать.
              </p>
            </>
          )}
        </CardBody>
      )}
    </Card>
  );
}
