import { useEffect, useState } from "react";
import { formatRecent } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { ChatComposer } from "#web/parts/chat/chat-composer.tsx";
import { Button } from "#web/ui/button.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { usePause, useResume, useWrite } from "./approval/approval-queries.ts";
import type { ShownConversation } from "./shown-conversation.ts";

const MINUTE = 60_000;
/** A takeover whose end is further away than this lasts until somebody ends it. */
const INDEFINITE_FROM_DAYS = 60;

interface OwnerComposerProps {
  conversation: ShownConversation;
  takesFocus: boolean;
}

/** The area below a contact's thread: who answers and for how long, and the input for the owner's own messages. */
export function OwnerComposer({ conversation: { id, pausedUntil }, takesFocus }: OwnerComposerProps) {
  const [draft, setDraft] = useState("");
  const write = useWrite(id);

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
      <Lead id={id} pausedUntil={pausedUntil} />
      <ChatComposer
        draft={draft}
        pending={false}
        takesFocus={takesFocus}
        placeholder={pausedUntil ? "Сообщение..." : "Напишите сами — двойник замолчит"}
        onDraft={setDraft}
        onSend={send}
      />
    </>
  );
}

function Lead({ id, pausedUntil }: { id: string; pausedUntil: string | undefined }) {
  const [pause, resume] = [usePause(id), useResume(id)];
  const left = useTimeLeft(pausedUntil);
  const failed = (error: unknown) => toastError("Не удалось")(error);
  if (left === null) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t px-4 py-2 md:px-5">
        <p className="min-w-0 text-md text-muted">Собеседнику отвечает двойник</p>
        <Button
          size="sm"
          busy={pause.isPending}
          onClick={() =>
            pause.mutate(undefined, { onSuccess: () => toast({ title: "Диалог ведёте вы" }), onError: failed })
          }
        >
          Вести самому
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t px-4 py-2 md:px-5">
      <p className="min-w-0 text-md text-muted">Диалог ведёте вы: двойник молчит {left}</p>
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label="Сколько двойнику молчать"
          placeholder="Другое время"
          value=""
          disabled={pause.isPending}
          className="w-40 [&_select]:h-8 [&_select]:text-sm pointer-coarse:[&_select]:h-control"
          onChange={({ target }) => pause.mutate(untilOf(target.value as Choice), { onError: failed })}
        >
          {choices.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
        <Button
          size="sm"
          busy={resume.isPending}
          onClick={() =>
            resume.mutate(undefined, {
              onSuccess: () => toast({ title: "Диалог снова ведёт двойник" }),
              onError: failed,
            })
          }
        >
          Вернуть двойнику
        </Button>
      </div>
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

/** «ещё 28 минут», counting down; null once the twin answers again. */
function useTimeLeft(until: string | undefined): string | null {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (until === undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), MINUTE / 4);
    return () => clearInterval(timer);
  }, [until]);
  if (until === undefined) return null;
  const left = Date.parse(until) - now;
  if (left <= 0) return null;
  if (left > INDEFINITE_FROM_DAYS * 24 * 60 * MINUTE) return "пока не\u00a0вернёте";
  const minutes = Math.ceil(left / MINUTE);
  if (minutes <= 120) return `ещё ${plural(minutes, ["минуту", "минуты", "минут"])}`;
  return `до ${formatRecent(until)}`;
}
