import { useMutation } from "@tanstack/react-query";
import { useLayoutEffect, useRef, useState } from "react";
import { Link } from "wouter";
import type { Waiting } from "#contract/analytics.ts";
import { approvalsApi } from "#contract/conversations/approvals.ts";
import type { CorrectionScope } from "#contract/correction-scope.ts";
import { call } from "#web/api/call.ts";
import { refreshAfter } from "#web/api/refresh.ts";
import { sendingInWords } from "#web/parts/corrections/correction-words.ts";
import { SendForAll } from "#web/parts/corrections/send-for-all.tsx";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { scrollToOpened } from "#web/ui/layout/scroll-to-opened.ts";
import { actionToast } from "#web/ui/toasts/action-toast.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";

const failed = toastError("Не удалось");

/** Expanded content of a row: the whole draft, or a question that only the owner can answer. Sending can be undone as in «Диалоги». */
export default function WaitingDraft({ draft }: { draft: Waiting["answers"]["first"][number] }) {
  const { id, conversationId, kind, question, text, twinName } = draft;
  const [own, setOwn] = useState("");
  // Off for several messages, because one answer to them is rarely the answer to one of them.
  const [remembers, setRemembers] = useState(!question.includes("\n"));
  const place = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    const row = place.current?.closest("li");
    if (row) scrollToOpened(row, "nearest");
  }, []);
  const approve = useMutation({
    mutationFn: async (teach: CorrectionScope | undefined) => {
      if (kind === "question") await call(approvalsApi.edit, { params: { id }, input: { text: own.trim() } });
      return call(approvalsApi.approve, {
        params: { id },
        query: { undo: "1", ...(teach === undefined ? {} : { teach }) },
      });
    },
    // A colleague may have decided in the meantime.
    onError: () => refreshAfter(approvalsApi.approve),
  });

  /** @param forAll set by the separate action that publishes the answer */
  async function send(forAll = false) {
    if (approve.isPending || (kind === "question" && own.trim() === "")) return;
    // The row disappears, so the focus moves to the following one.
    const row = place.current?.closest("li");
    const next = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector<HTMLElement>("a");
    const panel = place.current?.closest("section");
    try {
      const teach = !draft.mayTeach ? undefined : forAll ? "everybody" : remembers ? "contact" : undefined;
      const { undoUntil } = await approve.mutateAsync(teach);
      (next ?? panel)?.focus();
      const undo = () => void call(approvalsApi.undo, { params: { id } }).catch(failed);
      actionToast(sendingInWords(teach), undoUntil === null ? [] : [{ label: "Отменить", onPress: undo }]);
    } catch (error) {
      failed(error);
    }
  }

  return (
    <form
      ref={place}
      className="flex flex-col gap-3 px-4 pt-1 pb-4 md:px-5"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={(event) => {
        if (kind !== "question" || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        // The confirmation dialog for publishing handles its own keys.
        if (!(event.target instanceof Node && event.currentTarget.contains(event.target))) return;
        event.preventDefault();
        void send();
      }}
    >
      {question && <p className="whitespace-pre-wrap text-md text-muted [overflow-wrap:anywhere]">{question}</p>}
      {kind === "question" ? (
        <Field label="Ваш ответ">
          <Textarea autoFocus rows={3} maxLength={8000} value={own} onChange={(event) => setOwn(event.target.value)} />
        </Field>
      ) : (
        <div className="rounded-md bg-sunken p-4">
          <p className="mb-1 text-sm text-subtle">Ответит {twinName}</p>
          <p className="whitespace-pre-wrap text-md [overflow-wrap:anywhere]">{text}</p>
        </div>
      )}
      {draft.mayTeach && (
        <Checkbox checked={remembers} onChange={({ target }) => setRemembers(target.checked)}>
          Научить: двойник ответит так этому собеседнику
        </Checkbox>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          className="max-sm:w-full"
          busy={approve.isPending}
          disabled={kind === "question" && own.trim() === ""}
        >
          Отправить
        </Button>
        {draft.mayTeach && (
          <SendForAll
            people={draft.people}
            className="max-sm:flex-1"
            disabled={approve.isPending || own.trim() === ""}
            onSend={() => void send(true)}
          />
        )}
        <Button asChild className="max-sm:flex-1">
          <Link href={paths.conversation(conversationId)}>Открыть диалог</Link>
        </Button>
      </div>
    </form>
  );
}
