import { Pencil, X } from "lucide-react";
import { useRef } from "react";
import { Button } from "#web/ui/button.tsx";
import { Dialog, DialogContent } from "#web/ui/overlays/dialog.tsx";

interface DecisionSheetProps {
  name: string;
  /** Undefined where there is nothing to change: the field is open already. */
  onEdit: (() => void) | undefined;
  onReject: () => void;
  onClose: () => void;
  /** It was closed without a choice: the focus must go somewhere. */
  onLeft: () => void;
}

/** After a swipe to the left: nothing has been decided yet. */
export default function DecisionSheet({ name, onEdit, onReject, onClose, onLeft }: DecisionSheetProps) {
  const chosen = useRef<(() => void) | null>(null);
  /** Once the dialog is gone: what the act focuses keeps the focus. */
  function afterClose(act: () => void) {
    chosen.current = act;
    onClose();
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        size="sm"
        title="Что сделать с ответом?"
        description={name}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          if (chosen.current) chosen.current();
          else onLeft();
        }}
      >
        <div className="flex flex-col gap-2">
          {onEdit && (
            <Button onClick={() => afterClose(onEdit)}>
              <Pencil aria-hidden className="icon" />
              Изменить
            </Button>
          )}
          {/* Where there is nothing to change there is no draft to reject either. */}
          <Button {...(onEdit ? { variant: "danger" } : {})} onClick={() => afterClose(onReject)}>
            <X aria-hidden className="icon" />
            {onEdit ? "Отклонить" : "Закрыть без ответа"}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  );
}
