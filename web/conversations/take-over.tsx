import { Hand } from "lucide-react";
import { Button } from "#web/ui/button.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { usePause } from "./approval/approval-queries.ts";
import type { ShownConversation } from "./shown-conversation.ts";
import { useTimeLeft } from "./time-left.ts";

/** The button that starts a takeover; null during one, when the bar above the field says how it ends. */
export function useTakeOver({ id, pausedUntil }: ShownConversation): { take: () => void; busy: boolean } | null {
  const pause = usePause(id);
  if (useTimeLeft(pausedUntil) !== null) return null;
  return {
    busy: pause.isPending,
    take: () =>
      pause.mutate(undefined, {
        onSuccess: () => toast({ title: "Диалог ведёте вы" }),
        onError: toastError("Не удалось"),
      }),
  };
}

export function TakeOver({ conversation }: { conversation: ShownConversation }) {
  const takeOver = useTakeOver(conversation);
  if (takeOver === null) return null;
  return (
    <>
      <span className="sr-only">Собеседнику отвечает двойник</span>
      <Button
        aria-label="Вести самому"
        title="Собеседнику отвечает двойник. Вести самому"
        className="@max-md:w-(--control-h) @max-md:px-0"
        busy={takeOver.busy}
        onClick={takeOver.take}
      >
        {!takeOver.busy && <Hand aria-hidden className="icon" />}
        <span className="@max-md:hidden">Вести самому</span>
      </Button>
    </>
  );
}
