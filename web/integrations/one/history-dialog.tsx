import { Button } from "#web/ui/button.tsx";
import { Dialog, DialogContent } from "#web/ui/overlays/dialog.tsx";
import DialogChoice from "../setup/dialog-choice.tsx";
import { useImportChosen } from "../setup/setup-queries.ts";

interface HistoryDialogProps {
  integrationId: string;
  onClose: () => void;
}

export default function HistoryDialog({ integrationId, onClose }: HistoryDialogProps) {
  const importChosen = useImportChosen(integrationId);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        size="lg"
        title="Выбрать диалоги"
        description="Прочитанное раньше останется: добавится то, чего ещё нет."
      >
        <DialogChoice
          integrationId={integrationId}
          busy={importChosen.isPending}
          error={importChosen.error}
          onStart={(dialogs) => importChosen.mutate(dialogs, { onSuccess: onClose })}
          otherwise={
            <Button disabled={importChosen.isPending} onClick={onClose}>
              Отмена
            </Button>
          }
        />
      </DialogContent>
    </Dialog>
  );
}
