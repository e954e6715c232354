import { messageOf } from "#web/api.ts";
import { Button } from "#web/ui/button.tsx";
import { toast } from "#web/ui/toast.ts";
import { useTakeover } from "./approval-queries.ts";

/** Under a contact's dialogue: who answers there, and the way to change it. */
export function TakeoverBar({ id, lead }: { id: string; lead: "twin" | "me" }) {
  const takeover = useTakeover(id);
  const mine = lead === "me";
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t p-4 md:px-5">
      <p className="text-md text-muted">{mine ? "Диалог ведёте вы: двойник молчит" : "Собеседнику отвечает двойник"}</p>
      <Button
        busy={takeover.isPending}
        onClick={() =>
          takeover.mutate(!mine, {
            onSuccess: () => toast({ title: mine ? "Диалог снова ведёт двойник" : "Диалог ведёте вы" }),
            onError: (error) => toast({ title: "Не удалось", description: messageOf(error), variant: "destructive" }),
          })
        }
      >
        {mine ? "Вернуть двойнику" : "Вести самому"}
      </Button>
    </div>
  );
}
