import { Hand } from "lucide-react";
import { Button } from "#web/ui/button.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { usePause } from "./approval/approval-queries.ts";
import type { ShownConversation } from "./shown-conversation.ts";
import { useTimeLeft } from "./time-left.ts";

/** In the heading of a contact's thread while the twin answers; the bar above the field takes its place while the owner does. */
export function TakeOver({ conversation: { id, pausedUntil } }: { conversation: ShownConversation }) {
  const pause = usePause(id);
  if (useTimeLeft(pausedUntil) !== null) return null;
  return (
    <>
      <span className="sr-only">Собеседнику отвечает двойник</span>
      <Button
        aria-label="Вести самому"
        title="Собеседнику отвечает двойник. Вести самому"
        className="@max-md:w-(--control-h) @max-md:px-0"
        busy={pause.isPending}
        onClick={() =>
          pause.mutate(undefined, {
            onSuccess: () => toast({ title: "Диалог ведёте вы" }),
            onError: toastError("Не удалось"),
          })
        }
      >
        {!pause.isPending && <Hand aria-hidden className="icon" />}
        <span className="@max-md:hidden">Вести самому</span>
      </Button>
    </>
  );
}
