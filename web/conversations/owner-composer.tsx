import { NotepadText } from "lucide-react";
import { useState } from "react";
import type { PastReply } from "#contract/conversations/approvals.ts";
import { ChatComposer } from "#web/parts/chat/chat-composer.tsx";
import { Button } from "#web/ui/button.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { actionToast } from "#web/ui/toasts/action-toast.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { useIsDesktop } from "#web/ui/use-is-desktop.ts";
import { useAnswers, usePause, useResume, useWrite } from "./approval/approval-queries.ts";
import { OwnPastReplies } from "./past-replies/own-past-replies.tsx";
import { PersonalDataWarning } from "./past-replies/past-replies.tsx";
import { useSavedRepliesField } from "./saved-replies/saved-replies-field.tsx";
import type { ShownConversation } from "./shown-conversation.ts";
import { useTimeLeft } from "./time-left.ts";

interface OwnerComposerProps {
  conversation: ShownConversation;
  takesFocus: boolean;
}

export function OwnerComposer({ conversation, takesFocus }: OwnerComposerProps) {
  const { id, pausedUntil, participantName: contactName, lead } = conversation;
  const [draft, setDraft] = useState("");
  const [taken, setTaken] = useState<PastReply | null>(null);
  const write = useWrite(id);
  const left = useTimeLeft(pausedUntil);
  const saved = useSavedRepliesField({ draft, onDraft: setDraft, contactName });
  // A draft shows past replies itself.
  const { data: answers } = useAnswers(id);
  const alone = lead === "me" && answers !== undefined && !answers.some(({ state }) => state === "draft");

  /** Puts a past reply into the field for the owner to edit and send. A toast offers to restore what he had typed there. */
  function take(reply: PastReply) {
    const typed = draft.trim() !== "" && draft !== taken?.reply ? draft : null;
    setTaken(reply);
    setDraft(reply.reply);
    requestAnimationFrame(() => document.querySelector<HTMLElement>("textarea[data-composer]")?.focus());
    if (typed !== null) actionToast("Ответ вставлен", [{ label: "Вернуть мой текст", onPress: () => setDraft(typed) }]);
  }

  function send() {
    const text = draft.trim();
    if (text === "" || write.isPending) return;
    setDraft("");
    write.mutate(
      { text, key: crypto.randomUUID() },
      {
        onError: (error) => {
          setDraft((now) => (now.trim() === "" ? text : now));
          toastError("Не удалось отправить")(error);
        },
      },
    );
  }

  return (
    <>
      {alone && <OwnPastReplies conversationId={id} onTake={take} />}
      {left !== null && <SilenceBar id={id} left={left} />}
      <PersonalDataWarning reply={taken} text={draft} className="mx-4 mt-2 md:mx-5" />
      <div className="relative">
        {saved.popup}
        <ChatComposer
          fieldProps={saved.fieldProps}
          beside={
            <Button variant="ghost" size="icon" aria-label="Заготовки" title="Заготовки (/)" onClick={saved.manage}>
              <NotepadText aria-hidden className="icon" />
            </Button>
          }
          draft={draft}
          pending={false}
          takesFocus={takesFocus}
          placeholder={pausedUntil ? "Сообщение..." : "Напишите сами — двойник замолчит"}
          onDraft={setDraft}
          onSend={send}
        />
      </div>
    </>
  );
}

const failed = (error: unknown) => toastError("Не удалось")(error);

function SilenceBar({ id, left }: { id: string; left: string }) {
  const [pause, resume] = [usePause(id), useResume(id)];
  const atDesk = useIsDesktop();
  return (
    <div className="flex items-center gap-2 border-t px-3 py-1.5 md:px-4">
      <div className="flex min-w-0 flex-1 items-center gap-x-2">
        <p className="shrink-0 text-muted text-sm max-lg:sr-only">Двойник молчит</p>
        <Select
          aria-label="Сколько двойнику молчать"
          placeholder={atDesk ? left : `Молчит ${left}`}
          value=""
          disabled={pause.isPending}
          className="max-md:flex-1 [&_select]:h-8 [&_select]:text-sm pointer-coarse:[&_select]:h-control"
          onChange={({ target }) => pause.mutate(untilOf(target.value as Choice), { onError: failed })}
        >
          {choices.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      </div>
      <Button
        size="sm"
        aria-label="Вернуть двойнику"
        busy={resume.isPending}
        onClick={() =>
          resume.mutate(undefined, {
            onSuccess: () => toast({ title: "Диалог снова ведёт двойник" }),
            onError: failed,
          })
        }
      >
        {atDesk ? "Вернуть двойнику" : "Вернуть"}
      </Button>
    </div>
  );
}

type Choice = "30m" | "2h" | "tomorrow" | "forever";
const choices: readonly (readonly [Choice, string])[] = [
  ["30m", "30 минут"],
  ["2h", "2 часа"],
  ["tomorrow", "До завтра, 9:00"],
  ["forever", "Пока не верну"],
];

function untilOf(choice: Choice): string | null {
  if (choice === "forever") return null;
  const until = new Date();
  if (choice === "tomorrow") {
    until.setDate(until.getDate() + 1);
    until.setHours(9, 0, 0, 0);
  } else until.setMinutes(until.getMinutes() + (choice === "2h" ? 120 : 30));
  return until.toISOString();
}
