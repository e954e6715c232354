import { clsx } from "clsx";
import { useEffect, useId, useRef, useState } from "react";
import { Link } from "wouter";
import type { Approval, PastReply } from "#contract/conversations/approvals.ts";
import type { CorrectionScope } from "#contract/correction-scope.ts";
import { sendingInWords } from "#web/parts/corrections/correction-words.ts";
import { SendForAll } from "#web/parts/corrections/send-for-all.tsx";
import { useTwins } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { useSession } from "#web/session/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { KeyHint } from "#web/ui/key-hint.tsx";
import { actionToast } from "#web/ui/toasts/action-toast.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { PastReplies, PersonalDataWarning } from "../past-replies/past-replies.tsx";
import { useSeen } from "../past-replies/queries.ts";
import { useApprove, useEditDraft, useOpenAsSample, useReject, useUndo } from "./approval-queries.ts";

const failed = (error: unknown) => toastError("Не удалось")(error);

interface Sent {
  undoable: boolean;
  reworded: boolean;
  /** Scope in which the twin learns the sent text; undefined when it learns nothing. */
  teach: CorrectionScope | undefined;
}

interface DecisionProps {
  answer: Pick<
    Approval,
    "id" | "conversationId" | "twinId" | "question" | "text" | "state" | "author" | "basis" | "people"
  >;
  undoInToast?: boolean;
  /** Whether the buttons stay at the lower edge of the scrolled box around the draft. */
  pinned?: boolean;
  /** Whether a heading stands right above the field, so that its label is for screen readers alone. */
  titled?: boolean;
  /** See `DraftPanel`; false again as soon as the words are on their way. */
  onRewording?: (rewording: boolean) => void;
}

/** About five lines, beside which the question stays in sight; longer texts scroll within the field. */
const FIVE_LINES = { maxHeight: "calc(5lh + .875rem)" };

export function Decision({ answer, undoInToast = false, pinned = false, titled = false, onRewording }: DecisionProps) {
  const { id, conversationId, twinId, question, text, state, author, basis, people } = answer;
  // The twin knows no answer or no model was available, so the owner must write it.
  const unanswered = state === "draft" && text === "";
  const [own, setOwn] = useState<string | null>(unanswered ? "" : null);
  const { user } = useSession();
  const owns = useTwins().data?.find((twin) => twin.id === twinId)?.ownerId === user?.id;
  const mayTeach = unanswered && basis === "unknown" && user !== undefined && owns;
  // Off until it is ticked: the words become visible to everybody.
  const [shows, setShows] = useState(false);
  const openAsSample = useOpenAsSample(twinId);
  // Off for several messages, because one answer to them is rarely the answer to one of them.
  const [remembers, setRemembers] = useState(!question.includes("\n"));
  const [approve, edit, reject, undo] = [useApprove(), useEditDraft(), useReject(), useUndo()];
  const busy = approve.isPending || edit.isPending || reject.isPending;
  const rewording = own !== null && !unanswered && !busy;
  useEffect(() => {
    onRewording?.(rewording);
    return () => onRewording?.(false);
  }, [rewording, onRewording]);
  const fresh = state === "draft" && author === "twin";
  const buttons = useRef<HTMLDivElement>(null);
  const seen = useSeen(buttons);
  const [taken, setTaken] = useState<PastReply | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const hasWords = own !== null && own.trim() !== "";
  // The field of an open question stands below much else, and pinned buttons would cover it: they come into sight once there is something
  // to send. Not when the field takes the focus: a click would move the buttons below the pointer.
  useEffect(() => {
    if (pinned && unanswered && hasWords) buttons.current?.scrollIntoView({ block: "nearest" });
  }, [pinned, unanswered, hasWords]);
  const editButton = useRef<HTMLButtonElement>(null);
  const maskNote = useId();
  const isReworded = hasWords && own.trim() !== text;

  /** Brings the draft back and, because the field disappears with the focus, focuses «Изменить». */
  function stopEditing() {
    setOwn(unanswered ? "" : null);
    // The button still stands below the field here; scrolling there would move the card away.
    editButton.current?.focus({ preventScroll: true });
  }

  /** Puts a past reply into the editor for the owner to edit and send. A toast restores what he had typed there. */
  function take(reply: PastReply) {
    const typed = own !== null && own.trim() !== "" && own !== text && own !== taken?.reply ? own : null;
    setTaken(reply);
    setOwn(reply.reply);
    requestAnimationFrame(() => field.current?.focus());
    if (typed !== null) actionToast("Ответ вставлен", [{ label: "Вернуть мой текст", onPress: () => setOwn(typed) }]);
  }

  /** @param forAll set by the separate action that publishes the answer */
  async function send(forAll = false) {
    if (busy || own?.trim() === "") return;
    const reworded = own !== null && own.trim() !== text;
    try {
      if (reworded) await edit.mutateAsync({ id, text: own.trim() });
      const teach = !mayTeach ? undefined : forAll ? "everybody" : remembers ? "contact" : undefined;
      const { undoUntil } = await approve.mutateAsync({ id, state, teach });
      if (reworded && shows) openAsSample.mutate(id);
      if (undoInToast || reworded) announce({ undoable: undoInToast && undoUntil !== null, reworded, teach });
    } catch (error) {
      failed(error);
    }
  }

  /** Shows what may follow: undoing the approval, teaching the twin the reworded text, or what it was taught. */
  function announce({ undoable, reworded, teach: taught }: Sent) {
    const takeBack = { label: "Отменить", onPress: () => undo.mutate(id, { onError: failed }) };
    const teach = {
      label: taught === undefined ? "Научить двойника" : "Чему он учится",
      href: paths.twinCorrections(twinId),
    };
    actionToast(sendingInWords(taught), [...(undoable ? [takeBack] : []), ...(reworded ? [teach] : [])]);
  }

  return (
    <form
      // Pinned buttons need a form without its own box, so that they stay visible along the whole draft.
      className={pinned ? "contents" : "flex flex-col gap-3"}
      data-editing={own !== null || undefined}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={(event) => {
        // The confirmation dialog for publishing handles its own keys.
        if (own === null || !(event.target instanceof Node && event.currentTarget.contains(event.target))) return;
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send();
        else if (event.key === "Escape") stopEditing();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <PersonalDataWarning reply={taken} text={own ?? ""} />
      {own !== null && (
        <Field
          label={<span className={clsx(titled && "sr-only")}>Ваш ответ</span>}
          hint={
            <span className="max-md:hidden">
              {unanswered ? "Ctrl+Enter отправит" : "Ctrl+Enter отправит, Esc вернёт черновик"}
            </span>
          }
        >
          <Textarea
            ref={field}
            autoFocus={!unanswered}
            rows={3}
            style={FIVE_LINES}
            maxLength={8000}
            value={own}
            onChange={(event) => setOwn(event.target.value)}
          />
        </Field>
      )}
      {mayTeach && (
        <Checkbox checked={remembers} onChange={({ target }) => setRemembers(target.checked)}>
          Научить: двойник ответит так этому собеседнику
        </Checkbox>
      )}
      {/* There from the first moment of an edit, so that nothing moves while the owner types. */}
      {owns && fresh && (rewording || isReworded) && (
        <div className="@container flex flex-wrap items-center gap-x-3">
          <Checkbox
            checked={shows}
            disabled={!isReworded}
            aria-describedby={maskNote}
            onChange={({ target }) => setShows(target.checked)}
          >
            Взять эту манеру для&nbsp;всех
          </Checkbox>
          <p id={maskNote} className="text-muted text-sm @max-md:hidden">
            Имена и&nbsp;телефоны будут скрыты
          </p>
        </div>
      )}
      <div className={clsx(pinned && "@container bg-surface py-1", pinned && !unanswered && "sticky bottom-0")}>
        {/* In a narrow column the buttons stay on one line, without the names of their keys. */}
        <div
          ref={buttons}
          className={clsx(
            "flex scroll-mb-3 flex-wrap gap-2",
            pinned && "@max-lg:[&_kbd]:hidden @max-sm:[&_button]:px-2",
          )}
        >
          <Button
            type="submit"
            variant="primary"
            data-act="send"
            busy={approve.isPending || edit.isPending}
            disabled={busy || own?.trim() === ""}
            className={mayTeach || rewording ? "max-sm:flex-1" : "max-sm:w-full"}
          >
            {state === "draft" ? "Отправить" : "Отправить ещё раз"}
            {!busy && own?.trim() !== "" && <KeyHint>A</KeyHint>}
          </Button>
          {mayTeach && (
            <SendForAll
              people={people}
              disabled={busy || own?.trim() === ""}
              className="max-sm:flex-1 max-sm:px-2.5"
              onSend={() => void send(true)}
            />
          )}
          {state === "draft" && !unanswered && (
            <Button
              ref={editButton}
              data-act="edit"
              disabled={busy}
              className="max-sm:flex-1"
              onClick={() => (own === null ? setOwn(text) : stopEditing())}
            >
              {own === null ? "Изменить" : "Отмена"}
              {own === null && !busy && <KeyHint>E</KeyHint>}
            </Button>
          )}
          <Button
            data-act="reject"
            {...(unanswered ? {} : { variant: "danger" })}
            className="max-sm:flex-1 max-sm:px-2.5"
            busy={reject.isPending}
            disabled={busy}
            onClick={() =>
              reject.mutate(id, {
                onSuccess: () =>
                  actionToast(unanswered ? "Закрыто без ответа" : "Ответ отклонён, собеседник ничего не получит", [
                    { label: "Вернуть", onPress: () => undo.mutate(id, { onError: failed }) },
                    { label: "Написать самому", href: paths.conversation(conversationId) },
                  ]),
                onError: failed,
              })
            }
          >
            {unanswered ? "Закрыть без ответа" : "Отклонить"}
            {!busy && <KeyHint>R</KeyHint>}
          </Button>
          {mayTeach && (
            <Button asChild variant="ghost" className="max-sm:flex-1 max-sm:px-2.5">
              <Link href={paths.twinGaps(twinId)}>В&nbsp;пробелы</Link>
            </Button>
          )}
        </div>
      </div>
      {fresh && <PastReplies answerId={id} enabled={seen} disabled={busy} onTake={take} />}
    </form>
  );
}

export function UndoDecision({ id, until }: { id: string; until: string }) {
  const undo = useUndo();
  const button = useRef<HTMLButtonElement>(null);
  const [left, setLeft] = useState(() => secondsTo(until));
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsTo(until)), 500);
    return () => clearInterval(timer);
  }, [until]);
  // After «Отправить» the focus moves to the button that undoes it.
  useEffect(() => button.current?.focus({ preventScroll: true }), []);
  if (left <= 0) return <p className="text-md text-muted">Отправляется…</p>;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="text-md text-muted">
        Уйдёт через <span className="tabular-nums">{left}</span> с
      </p>
      <Button ref={button} size="sm" busy={undo.isPending} onClick={() => undo.mutate(id, { onError: failed })}>
        Отменить
      </Button>
    </div>
  );
}

const secondsTo = (moment: string): number => Math.ceil((Date.parse(moment) - Date.now()) / 1000);
