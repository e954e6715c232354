import { useEffect, useRef, useState } from "react";
import type { ReplySource } from "#contract/conversations/conversations.ts";
import type { CorrectedAnswer, Proposal } from "#contract/corrections.ts";
import { messageOf } from "#web/api/api-error.ts";
import { Passage } from "#web/parts/passage.tsx";
import { useTwins } from "#web/parts/twins/queries.ts";
import { useSession } from "#web/session/session.tsx";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { Dialog, DialogContent, DialogFooter } from "#web/ui/overlays/dialog.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { CorrectionForm } from "./correction-form.tsx";
import { useAccept, useDecline, usePropose } from "./queries.ts";

interface CorrectionDialogProps {
  correction: string;
  /** The twin's text, when `correction` may start as a copy of it. An unchanged copy is no correction. */
  answer?: string;
  /** The passage nearest to a question that the twin could not answer, to be shown beside the editor. */
  nearest?: ReplySource | undefined;
  from: CorrectedAnswer;
  twinId: string | undefined;
  /** Saves the correction beside the answer and reports its own failure. */
  onSave?: (correction: string) => Promise<unknown>;
  onClose: () => void;
}

/** Asks for the right answer; then, for the twin's owner, what the twin should learn from it. */
export default function CorrectionDialog({
  correction,
  answer = "",
  nearest,
  from,
  twinId,
  onSave,
  onClose,
}: CorrectionDialogProps) {
  const [text, setText] = useState(correction);
  const [saving, setSaving] = useState(false);
  const { user } = useSession();
  const twin = useTwins().data?.find(({ id }) => id === twinId);
  const learns = user !== undefined && twin?.ownerId === user.id;
  const propose = usePropose(twinId ?? "");
  const unchanged = text.trim() === "" || text.trim() === answer.trim();

  async function save(answer: string) {
    if (answer === "") return;
    setSaving(true);
    try {
      await onSave?.(answer);
    } catch {
      return;
    } finally {
      setSaving(false);
    }
    if (learns) return propose.mutate({ from, correction: answer });
    onClose();
    toast({ title: "Ответ исправлен" });
  }

  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      {propose.data ? (
        <Learning twinId={twin!.id} from={from} proposal={propose.data} onBack={propose.reset} onClose={onClose} />
      ) : (
        <DialogContent
          title="Исправить ответ"
          {...(onSave ? { description: "Ваш вариант останется рядом с ответом двойника." } : {})}
        >
          <form
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              void save(text.trim());
            }}
          >
            <Field label="Как ответили бы вы" error={propose.error ? messageOf(propose.error) : undefined}>
              <Textarea rows={5} maxLength={4000} value={text} onChange={(event) => setText(event.target.value)} />
            </Field>
            {nearest && <Passage about={"Ближе всего в\u00a0документах:"} source={nearest} folded />}
            <DialogFooter>
              <Button onClick={onClose}>Отмена</Button>
              <Button type="submit" variant="primary" busy={saving || propose.isPending} disabled={unchanged}>
                {learns ? "Дальше" : "Сохранить"}
              </Button>
            </DialogFooter>
          </form>
        </DialogContent>
      )}
    </Dialog>
  );
}

const ACTS = { contact: "Научить", only: "Научить для собеседника", everybody: "Научить для всех" };

interface LearningProps {
  twinId: string;
  from: CorrectedAnswer;
  proposal: Proposal;
  onBack: () => void;
  onClose: () => void;
}

function Learning({ twinId, from, proposal, onBack, onClose }: LearningProps) {
  const { suggested, question, text, rules, scopes, people, contactName, personal } = proposal;
  const accept = useAccept(twinId);
  const decline = useDecline(twinId);
  const place = useRef<HTMLDivElement>(null);
  // The clicked button is gone, so the focus moves to the new content and screen readers read it from its start.
  useEffect(() => place.current?.focus(), []);
  return (
    <DialogContent
      title="Научить двойника"
      description="Двойник учтёт это уже в следующем ответе. Изменить или отменить можно в настройках двойника."
    >
      <div ref={place} tabIndex={-1} className="focus:outline-none">
        <CorrectionForm
          twinId={twinId}
          initial={{ kind: suggested, question, text, rules }}
          scopes={scopes}
          acts={ACTS}
          contactName={contactName}
          people={people}
          personal={personal}
          busy={accept.isPending}
          error={accept.error}
          onSubmit={(correction) =>
            accept.mutate(
              { from, ...correction },
              {
                onSuccess: ({ scope }) => {
                  onClose();
                  toast({
                    title: "Двойник запомнил",
                    description:
                      scope === "everybody"
                        ? "Следующий ответ всем это учтёт"
                        : "Следующий ответ собеседнику это учтёт",
                  });
                },
              },
            )
          }
          actions={
            <>
              <Button onClick={onBack} className="sm:me-auto">
                Назад
              </Button>
              <Button busy={decline.isPending} onClick={() => decline.mutate(from, { onSuccess: onClose })}>
                Ничему не учить
              </Button>
            </>
          }
        />
      </div>
    </DialogContent>
  );
}
