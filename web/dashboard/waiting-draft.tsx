import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link } from "wouter";
import type { Waiting } from "#contract/analytics.ts";
import { approvalsApi } from "#contract/conversations/approvals.ts";
import { call } from "#web/api/call.ts";
import { refreshAfter } from "#web/api/refresh.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { actionToast } from "#web/ui/toasts/action-toast.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";

const failed = toastError("Не удалось");

/** Under its row: a draft, read as a whole, or what only the owner can answer; sent from here, which can be undone as in «Диалоги». */
export default function WaitingDraft({ draft }: { draft: Waiting["answers"]["first"][number] }) {
  const { id, conversationId, kind, question, text, twinName } = draft;
  const [own, setOwn] = useState("");
  // One answer to several messages is seldom the answer to each who asks one of them.
  const [teaches, setTeaches] = useState(!question.includes("\n"));
  const taught = draft.mayTeach && teaches;
  const place = useRef<HTMLFormElement>(null);
  const approve = useMutation({
    mutationFn: async () => {
      if (kind === "question") await call(approvalsApi.edit, { params: { id }, input: { text: own.trim() } });
      return call(approvalsApi.approve, {
        params: { id },
        query: { undo: "1", ...(taught ? { teach: "1" as const } : {}) },
      });
    },
    // A colleague may have decided meanwhile.
    onError: () => refreshAfter(approvalsApi.approve),
  });

  async function send() {
    if (approve.isPending || (kind === "question" && own.trim() === "")) return;
    // The row goes, so the focus moves on to the one that follows.
    const row = place.current?.closest("li");
    const next = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector<HTMLElement>("a");
    const panel = place.current?.closest("section");
    try {
      const { undoUntil } = await approve.mutateAsync();
      (next ?? panel)?.focus();
      const undo = () => void call(approvalsApi.undo, { params: { id } }).catch(failed);
      actionToast(
        taught ? "Ответ отправляется, двойник его запомнит" : "Ответ отправляется",
        undoUntil === null ? [] : [{ label: "Отменить", onPress: undo }],
      );
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
        <Checkbox checked={teaches} onChange={({ target }) => setTeaches(target.checked)}>
          Научить: на такой вопрос двойник в&nbsp;следующий раз ответит так&nbsp;сам
        </Checkbox>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          busy={approve.isPending}
          disabled={kind === "question" && own.trim() === ""}
        >
          Отправить
        </Button>
        <Button asChild>
          <Link href={paths.conversation(conversationId)}>Открыть диалог</Link>
        </Button>
      </div>
    </form>
  );
}
