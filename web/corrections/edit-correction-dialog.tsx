import type { Correction } from "#contract/corrections.ts";
import { CorrectionForm } from "#web/parts/corrections/correction-form.tsx";
import { useUpdateCorrection } from "#web/parts/corrections/queries.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog, DialogContent } from "#web/ui/overlays/dialog.tsx";
import { toast } from "#web/ui/toasts/toast.ts";

const ACTS = { contact: "Сохранить", only: "Сохранить для собеседника", everybody: "Сохранить для всех" };

interface EditCorrectionDialogProps {
  twinId: string;
  correction: Correction;
  onClose: () => void;
}

export default function EditCorrectionDialog({ twinId, correction, onClose }: EditCorrectionDialogProps) {
  const { id, kind, question, rewordings, text, rules, scope, contactName } = correction;
  const update = useUpdateCorrection(twinId);
  // The text of a style rule for all contacts was written to one contact only.
  const answerScope = kind === "style" ? "contact" : scope;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title="Изменить исправление" description="Двойник учтёт это уже в следующем ответе.">
        <CorrectionForm
          twinId={twinId}
          initial={{ kind, question, rewordings, text, rules }}
          scopes={{ fact: answerScope, style: scope, example: answerScope }}
          acts={ACTS}
          contactName={contactName}
          personal={null}
          busy={update.isPending}
          error={update.error}
          onSubmit={(changed) =>
            update.mutate(
              { correctionId: id, lesson: changed },
              {
                onSuccess: () => {
                  onClose();
                  toast({ title: "Исправление изменено" });
                },
              },
            )
          }
          actions={<Button onClick={onClose}>Отмена</Button>}
        />
      </DialogContent>
    </Dialog>
  );
}
