import type { Correction } from "#contract/corrections.ts";
import { Button } from "#web/ui/button.tsx";
import { Dialog, DialogContent } from "#web/ui/dialog.tsx";
import { toast } from "#web/ui/toast.ts";
import { LessonForm } from "./lesson-form.tsx";
import { useUpdateCorrection } from "./queries.ts";

interface LessonDialogProps {
  twinId: string;
  correction: Correction;
  onClose: () => void;
}

/** The same lesson in other words, of another kind or for others. */
export default function LessonDialog({ twinId, correction, onClose }: LessonDialogProps) {
  const { id, kind, question, rewordings, text, rules, scope, contactName } = correction;
  const update = useUpdateCorrection(twinId);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title="Изменить исправление" description="Двойник учтёт это уже в следующем ответе.">
        <LessonForm
          twinId={twinId}
          lesson={{ kind, question, rewordings, text, rules, scope }}
          scopes={{ fact: scope, style: scope, exemplar: scope }}
          contactName={contactName}
          personal={null}
          busy={update.isPending}
          error={update.error}
          onSubmit={(lesson) =>
            update.mutate(
              { correctionId: id, lesson },
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
