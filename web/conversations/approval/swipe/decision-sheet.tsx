import { Pencil, X } from "lucide-react";
import { useRef } from "react";
import { Button } from "#web/ui/button.tsx";
import { Dialog, DialogContent } from "#web/ui/overlays/dialog.tsx";

interface DecisionSheetProps {
  name: string;
  /** undefined where the field is already open for editing. */
  onEdit: (() => void) | undefined;
  onReject: () => void;
  onClose: () => void;
  /** Called when the sheet is closed without a choice, so that the caller places the focus. */
  onLeft: () => void;
}

export default function DecisionSheet({ name, onEdit, onReject, onClose, onLeft }: DecisionSheetProps) {
  const chosen = useRef<(() => void) | null>(null);
  /** Runs the action after the sheet has closed, so that it keeps the focus that it sets. */
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
          {/* Without a text to edit there is no draft to reject either. */}
          <Button {...(onEdit ? { variant: "danger" } : {})} onClick={() => afterClose(onReject)}>
            <X aria-hidden className="icon" />
            {onEdit ? "Отклонить" : "Закрыть без ответа"}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  );
}
