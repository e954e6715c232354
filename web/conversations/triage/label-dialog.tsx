import { clsx } from "clsx";
import { Check, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Label } from "#contract/conversations/conversations.ts";
import { type CountedLabel, LABEL_LENGTH, LABELS_LIMIT, labelsApi } from "#contract/conversations/labels.ts";
import { plural } from "#web/i18n/plural.ts";
import { useWhyNot } from "#web/session/read-only.ts";
import { Button } from "#web/ui/button.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { Dialog, DialogContent } from "#web/ui/overlays/dialog.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { useListbox } from "../listbox.ts";
import type { ShownConversation } from "../shown-conversation.ts";
import { LabelChip } from "./label-chip.tsx";
import { useCreateLabel, useLabels, useRemoveLabel } from "./queries.ts";

interface LabelDialogProps {
  conversations: readonly ShownConversation[];
  onChoose: (label: Label, has: boolean) => void;
  onClose: () => void;
}

/** Adds a label to conversations or removes it; typing a new name creates a label. */
export default function LabelDialog({ conversations, onChoose, onClose }: LabelDialogProps) {
  const { data: labels, error, refetch } = useLabels();
  const [managing, setManaging] = useState(false);
  const { length: count } = conversations;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        size="sm"
        title={managing ? "Метки организации" : count === 1 ? "Метки диалога" : "Метки диалогов"}
        description={
          managing
            ? "Удалённая метка снимается со всех диалогов."
            : count === 1
              ? conversations[0]!.participantName
              : `Выбрано: ${plural(count, ["диалог", "диалога", "диалогов"])}`
        }
      >
        {!labels ? (
          error ? (
            <ErrorCard title="Не удалось загрузить метки" error={error} onRetry={() => void refetch()} />
          ) : (
            <LoadingStatus>Загрузка...</LoadingStatus>
          )
        ) : managing ? (
          <Manage labels={labels} />
        ) : (
          <Choose labels={labels} conversations={conversations} onChoose={onChoose} />
        )}
        {labels && labels.length > 0 && (
          <Button variant="ghost" className="mt-3 self-start" onClick={() => setManaging(!managing)}>
            {managing ? "К выбору меток" : "Удалить метку"}
          </Button>
        )}
      </DialogContent>
    </Dialog>
  );
}

type Option = CountedLabel | { create: string };

function Choose({
  labels,
  conversations,
  onChoose,
}: { labels: readonly CountedLabel[] } & Pick<LabelDialogProps, "conversations" | "onChoose">) {
  const [query, setQuery] = useState("");
  const create = useCreateLabel();
  const name = query.trim().replace(/\s+/g, " ");
  const wanted = name.toLocaleLowerCase("ru");
  const found = labels.filter((label) => label.name.toLocaleLowerCase("ru").includes(wanted));
  const known = labels.some((label) => label.name.toLocaleLowerCase("ru") === wanted);
  const full = labels.length >= LABELS_LIMIT;
  const options: Option[] = [...found, ...(name !== "" && !known && !full ? [{ create: name }] : [])];
  const haveIt = (label: Label) =>
    conversations.filter(({ labels }) => labels.some(({ id }) => id === label.id)).length;

  function take(option: Option) {
    if (create.isPending) return;
    if (!("create" in option)) return onChoose(option, haveIt(option) < conversations.length);
    create.mutate(option.create, {
      onSuccess: (made) => onChoose(made, true),
      onError: toastError("Не удалось создать метку"),
    });
  }

  const list = useListbox(options, take);
  return (
    <>
      <Input
        // Set on the field, because the labels may load after the dialog has opened.
        autoFocus
        role="combobox"
        aria-label="Найти или создать метку"
        aria-expanded={options.length > 0}
        placeholder="Название метки"
        maxLength={LABEL_LENGTH}
        value={query}
        onChange={({ target }) => {
          setQuery(target.value);
          list.setActive(0);
        }}
        onKeyDown={list.press}
        {...list.fieldProps}
      />
      {options.length > 0 && (
        <div
          role="listbox"
          id={list.listId}
          aria-label="Метки"
          aria-multiselectable
          tabIndex={-1}
          className="mt-2 flex max-h-72 flex-col overflow-y-auto"
        >
          {options.map((option, place) => {
            const having = "create" in option ? 0 : haveIt(option);
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and takes the keys
              <div
                key={"create" in option ? "create" : option.id}
                role="option"
                tabIndex={-1}
                id={list.optionId(place)}
                aria-selected={having === conversations.length}
                onPointerMove={() => list.setActive(place)}
                onClick={() => take(option)}
                className={clsx(
                  "flex min-h-9 cursor-pointer items-center gap-2 rounded-sm px-2 text-md pointer-coarse:min-h-control",
                  place === list.active && "bg-hover",
                )}
              >
                {"create" in option ? (
                  <>
                    <Plus aria-hidden className="icon text-muted" />
                    <span className="min-w-0 truncate">Создать метку «{option.create}»</span>
                  </>
                ) : (
                  <>
                    <Check aria-hidden className={clsx("icon", having < conversations.length && "invisible")} />
                    <LabelChip name={option.name} />
                    <span className="ms-auto shrink-0 text-muted text-sm tabular-nums">
                      {having > 0 && having < conversations.length ? `у ${having} из ${conversations.length}` : ""}
                    </span>
                  </>
                )}
              </div>
            );
          })}
        </div>
      )}
      <p role="status" className="mt-2 text-muted text-sm">
        {labels.length === 0 && name === ""
          ? "Меток пока нет: наберите название и нажмите Enter."
          : full && !known && name !== ""
            ? `Меток уже ${LABELS_LIMIT}: удалите ненужную, чтобы создать новую.`
            : options.length === 0
              ? "Такой метки нет."
              : ""}
      </p>
    </>
  );
}

function Manage({ labels }: { labels: readonly CountedLabel[] }) {
  const [asking, setAsking] = useState<CountedLabel | null>(null);
  const remove = useRemoveLabel();
  const whyNot = useWhyNot(labelsApi.remove);
  return (
    <>
      <ul aria-label="Метки организации" className="flex max-h-72 flex-col overflow-y-auto">
        {labels.map((label) => (
          <li key={label.id} className="flex min-h-11 items-center gap-3 border-b py-1 last:border-b-0">
            <LabelChip name={label.name} />
            <span className="ms-auto shrink-0 text-muted text-sm">
              {plural(label.conversations, ["диалог", "диалога", "диалогов"])}
            </span>
            <Button
              variant="ghost"
              size="icon"
              whyNot={whyNot}
              aria-label={`Удалить метку «${label.name}»`}
              onClick={() => setAsking(label)}
            >
              <Trash2 aria-hidden className="icon text-muted" />
            </Button>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={(open) => !open && setAsking(null)}
        title={`Удалить метку «${asking?.name ?? ""}»?`}
        description={
          asking?.conversations
            ? `Она снимется с ${plural(asking.conversations, ["диалога", "диалогов", "диалогов"])}. Это действие нельзя отменить.`
            : "Её нет ни\u00a0в\u00a0одном диалоге. Это действие нельзя отменить."
        }
        confirmLabel="Удалить"
        destructive
        busy={remove.isPending}
        onConfirm={() =>
          asking &&
          remove.mutate(asking.id, {
            onSuccess: () => {
              setAsking(null);
              toast({ title: "Метка удалена" });
            },
            onError: toastError("Ошибка удаления"),
          })
        }
      />
    </>
  );
}
