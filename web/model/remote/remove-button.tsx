import { useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { useRemoteModelActs } from "./queries.ts";

export function RemoveButton({ onRemoved }: { onRemoved: () => void }) {
  const { remove } = useRemoteModelActs();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="danger" onClick={() => setOpen(true)}>
        Отключить
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title="Отключить удалённую модель?"
        description="Настройки и ключ будут удалены. Двойники продолжат отвечать моделью этой установки."
        confirmLabel="Отключить и удалить ключ"
        destructive
        busy={remove.isPending}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => {
              setOpen(false);
              onRemoved();
              toast({ title: "Модель отключена, ключ удалён" });
            },
            onError: toastError("Ошибка"),
          })
        }
      />
    </>
  );
}
