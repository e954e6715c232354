import { Archive, Bot, Clock, Tag, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "#web/ui/button.tsx";
import { isTyping } from "#web/ui/typing.ts";
import type { Selection } from "./selection.ts";
import type { Triage } from "./triage.tsx";

interface BulkBarProps {
  selection: Selection;
  triage: Triage;
}

/** Bulk actions on the selected conversations. Sending is excluded, because an owner reads every outgoing message. */
export default function BulkBar({ selection: { chosen, clear }, triage }: BulkBarProps) {
  const { busy, failures, forgetFailures, ask, close, handBack } = triage;
  const leave = () => {
    clear();
    forgetFailures();
  };
  useEscapeFirst(leave);
  const led = chosen.filter(({ lead }) => lead === "me");
  return (
    // On a phone the bar floats over the list, so its height is reserved at the end and covers no row.
    <div className="max-lg:h-26">
      <section
        aria-label="Выбранные диалоги"
        className="z-10 flex flex-col gap-2 border-t bg-surface px-3 py-2 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-(--bottombar) max-lg:shadow-2 md:max-lg:bottom-0 md:px-4"
      >
        {failures.length > 0 && (
          <div
            role="alert"
            className="max-h-32 overflow-y-auto rounded-md bg-danger-soft px-3 py-2 text-danger-text text-md"
          >
            <p className="font-medium">Не получилось:</p>
            <ul>
              {failures.map(({ conversation: { id, participantName }, reason }) => (
                <li key={id}>
                  {participantName}: {reason}
                </li>
              ))}
            </ul>
          </div>
        )}
        <div className="flex flex-wrap items-center gap-2">
          <p role="status" className="me-auto font-medium text-md tabular-nums">
            Выбрано {chosen.length}
          </p>
          <Button
            size="sm"
            busy={busy}
            whyNot={chosen.some(({ isActive }) => isActive) ? null : "Выбранные диалоги уже закрыты."}
            onClick={() => void close(chosen)}
          >
            {!busy && <Archive aria-hidden className="icon" />}
            Закрыть
          </Button>
          <Button size="sm" disabled={busy} onClick={() => ask("snooze", chosen)}>
            <Clock aria-hidden className="icon" />
            Отложить
          </Button>
          <Button size="sm" disabled={busy} onClick={() => ask("label", chosen)}>
            <Tag aria-hidden className="icon" />
            Метка
          </Button>
          <Button
            size="sm"
            disabled={busy}
            whyNot={led.length > 0 ? null : "Выбранные диалоги и так ведёт двойник."}
            onClick={() => void handBack(led)}
          >
            <Bot aria-hidden className="icon" />
            Вернуть двойнику
          </Button>
          <Button variant="ghost" size="sm" className="px-2!" aria-label="Снять выбор" onClick={leave}>
            <X aria-hidden className="icon" />
          </Button>
        </div>
      </section>
    </div>
  );
}

/** Esc clears the selection before it closes the open conversation; dialogs and fields handle it first. */
function useEscapeFirst(leave: () => void) {
  const latest = useRef(leave);
  latest.current = leave;
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (event.key !== "Escape" || event.isComposing || isTyping(event.target)) return;
      event.preventDefault();
      latest.current();
    }
    document.addEventListener("keydown", press, true);
    return () => document.removeEventListener("keydown", press, true);
  }, []);
}
