import { useState } from "react";
import { messageOf } from "#web/api.ts";
import { mayChangeTwin } from "#web/read-only.ts";
import { useSession } from "#web/session.tsx";
import { useTwins } from "#web/twins/queries.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { Dialog, DialogContent, DialogFooter } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { Textarea } from "#web/ui/textarea.tsx";
import { toast } from "#web/ui/toast.ts";
import { type Lesson, teachTwin } from "./teach-twin.ts";

interface CorrectionDialogProps {
  /** What the person wrote before. */
  correction: string;
  lesson: Lesson | undefined;
  /** Keeps it beside the answer; has told of its failure itself. */
  onSave: (correction: string) => Promise<unknown>;
  onClose: () => void;
}

/** How the person would have answered, and whether the twin learns it. */
export default function CorrectionDialog({ correction, lesson, onSave, onClose }: CorrectionDialogProps) {
  const [text, setText] = useState(correction);
  const [teaching, setTeaching] = useState(true);
  const { user } = useSession();
  const twin = useTwins().data?.find(({ id }) => id === lesson?.twinId);
  const learns = user && twin && mayChangeTwin(user, twin) ? lesson : undefined;
  const [saving, setSaving] = useState(false);

  async function save(answer: string) {
    if (answer === "") return;
    setSaving(true);
    const kept = await onSave(answer).then(
      () => true,
      () => false,
    );
    setSaving(false);
    if (!kept) return;
    onClose();
    if (!learns || !teaching) {
      toast({ title: "Ответ исправлен" });
      return;
    }
    try {
      await teachTwin(learns, answer);
      toast({ title: "Ответ исправлен", description: "Двойник учится на вашем ответе" });
    } catch (error) {
      toast({ title: "Двойник не узнал об исправлении", description: messageOf(error), variant: "destructive" });
    }
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title="Исправить ответ" description="Ваш вариант останется рядом с ответом двойника.">
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            void save(text.trim());
          }}
        >
          <Field label="Как ответили бы вы">
            <Textarea rows={5} maxLength={4000} value={text} onChange={(event) => setText(event.target.value)} />
          </Field>
          {learns && (
            <Checkbox checked={teaching} onChange={(event) => setTeaching(event.target.checked)}>
              Научить двойника: добавить вопрос и&nbsp;ваш ответ в&nbsp;примеры диалогов
            </Checkbox>
          )}
          <DialogFooter>
            <Button onClick={onClose}>Отмена</Button>
            <Button type="submit" variant="primary" busy={saving} disabled={text.trim() === ""}>
              Сохранить
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
