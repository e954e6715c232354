import { clsx } from "clsx";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { actionToast } from "#web/ui/toasts/action-toast.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import type { TextChanges } from "./contact-queries.ts";

interface TextEntry {
  id: string;
  text: string;
  about?: ReactNode;
  mine: boolean;
}

interface TextListProps {
  label: string;
  entries: readonly TextEntry[];
  changes: TextChanges;
  addLabel: string;
  fieldLabel: string;
  maxLength: number;
  mayAdd: boolean;
  /** Whether the texts have a background colour that no message has. */
  slips?: boolean;
}

const failed = (error: unknown) => toastError("Не удалось сохранить")(error);

export function TextList(props: TextListProps) {
  const { label, entries, changes, addLabel, fieldLabel, maxLength, mayAdd, slips = false } = props;
  const [open, setOpen] = useState<string | null>(null);
  const close = () => setOpen(null);
  const form = { fieldLabel, maxLength, onClose: close };
  return (
    <div className="flex flex-col gap-2">
      {entries.length > 0 && (
        <ul aria-label={label} className="flex flex-col gap-2">
          {entries.map(({ id, text, about, mine }) => (
            <li key={id} className={clsx(slips && "rounded-md bg-warning-soft px-3 py-2")}>
              {open === id ? (
                <TextForm {...form} text={text} save={(now) => changes.edit(id, now)} />
              ) : (
                <div className="flex items-start gap-1">
                  <div className="min-w-0 flex-1">
                    <p className="whitespace-pre-wrap text-md [overflow-wrap:anywhere]">{text}</p>
                    {about && <p className="mt-1 text-muted text-sm">{about}</p>}
                  </div>
                  {mine && (
                    <div className="-me-1 -mt-1 flex shrink-0">
                      <Button
                        variant="ghost"
                        size="sm"
                        className="px-2!"
                        aria-label={`Изменить: ${text}`}
                        onClick={() => setOpen(id)}
                      >
                        <Pencil aria-hidden className="icon text-muted" />
                      </Button>
                      <Button
                        variant="ghost"
                        size="sm"
                        className="px-2!"
                        aria-label={`Удалить: ${text}`}
                        onClick={() => void removeWithUndo(changes, id, text)}
                      >
                        <Trash2 aria-hidden className="icon text-muted" />
                      </Button>
                    </div>
                  )}
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayAdd &&
        (open === "" ? (
          <TextForm {...form} text="" save={changes.add} />
        ) : (
          <Button size="sm" className="max-w-full self-start overflow-hidden px-2!" onClick={() => setOpen("")}>
            <Plus aria-hidden className="icon" />
            {addLabel}
          </Button>
        ))}
    </div>
  );
}

async function removeWithUndo(changes: TextChanges, id: string, text: string) {
  try {
    await changes.remove(id);
  } catch (error) {
    return failed(error);
  }
  actionToast("Удалено", [{ label: "Вернуть", onPress: () => void changes.add(text).catch(failed) }]);
}

interface TextFormProps {
  text: string;
  fieldLabel: string;
  maxLength: number;
  save: (text: string) => Promise<unknown>;
  onClose: () => void;
}

function TextForm({ text, fieldLabel, maxLength, save, onClose }: TextFormProps) {
  const [now, setNow] = useState(text);
  const [busy, setBusy] = useState(false);

  async function submit() {
    if (busy || now.trim() === "") return;
    setBusy(true);
    try {
      await save(now.trim());
      onClose();
    } catch (error) {
      failed(error);
      setBusy(false);
    }
  }

  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void submit();
        else if (event.key === "Escape") onClose();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <Field label={fieldLabel}>
        <Textarea
          autoFocus
          rows={2}
          maxLength={maxLength}
          value={now}
          onChange={(event) => setNow(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" busy={busy} disabled={now.trim() === ""}>
          Сохранить
        </Button>
        <Button size="sm" variant="ghost" onClick={onClose}>
          Отмена
        </Button>
      </div>
    </form>
  );
}
