import { Pencil, Plus, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import {
  NAME_PLACE,
  SAVED_REPLIES_LIMIT,
  SAVED_TEXT_LENGTH,
  SAVED_TITLE_LENGTH,
  type SavedReply,
} from "#contract/conversations/saved-replies.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Textarea } from "#web/ui/forms/textarea.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { Dialog, DialogContent, DialogFooter } from "#web/ui/overlays/dialog.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { useRemoveReply, useSavedReplies, useSaveReply } from "./queries.ts";

const TITLES_WITHOUT_SEARCH = 10;

/** `id` is null until the reply is first saved. */
type Edited = Omit<SavedReply, "id"> & { id: string | null };
const EMPTY: Edited = { id: null, title: "", text: "" };

/** Suggested texts that most users need, which the user completes and saves. */
const starters: readonly Pick<SavedReply, "title" | "text">[] = [
  {
    title: "Взяли в работу",
    text: `${NAME_PLACE}, здравствуйте! Вопрос увидели, уточняем и вернёмся с ответом сегодня.`,
  },
  {
    title: "Часы работы",
    text: "Мы работаем с понедельника по пятницу с … до …. Сообщение увидим и ответим в рабочее время.",
  },
  { title: "Спасибо за заказ", text: `${NAME_PLACE}, спасибо за заказ! Напишем, как только он будет готов.` },
];

export default function SavedRepliesDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useSavedReplies();
  const [editing, setEditing] = useState<Edited | null>(null);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title="Заготовки"
        description="Общие для организации. В поле ответа их открывает «/» в начале строки; сами они никому не уходят."
      >
        {!data ? (
          error ? (
            <ErrorCard title="Не удалось загрузить заготовки" error={error} onRetry={() => void refetch()} />
          ) : (
            <LoadingStatus>Загружаем заготовки...</LoadingStatus>
          )
        ) : editing ? (
          <ReplyForm key={editing.id ?? "new"} reply={editing} onClose={() => setEditing(null)} />
        ) : (
          <ReplyList replies={data} onEdit={setEditing} />
        )}
      </DialogContent>
    </Dialog>
  );
}

function ReplyList({ replies, onEdit }: { replies: readonly SavedReply[]; onEdit: (reply: Edited) => void }) {
  const readOnly = useReadOnly();
  const [query, setQuery] = useState("");
  const [asking, setAsking] = useState<SavedReply | null>(null);
  const remove = useRemoveReply();
  const wanted = query.trim().toLocaleLowerCase("ru");
  const found = replies.filter(({ title, text }) => `${title} ${text}`.toLocaleLowerCase("ru").includes(wanted));
  const whyNot =
    readOnly ??
    (replies.length >= SAVED_REPLIES_LIMIT ? `Не больше ${SAVED_REPLIES_LIMIT} заготовок: удалите ненужные.` : null);
  const add = (
    <Button whyNot={whyNot} className="self-start" onClick={() => onEdit(EMPTY)}>
      <Plus aria-hidden className="icon" />
      Новая заготовка
    </Button>
  );
  if (replies.length === 0) {
    return (
      <EmptyState
        title="Заготовок пока нет"
        description="Сохраните то, что пишете часто: реквизиты, часы работы, ответ на рекламацию."
        action={
          <div className="flex flex-col items-center gap-3">
            {!readOnly && (
              <fieldset aria-label="С чего начать" className="flex flex-wrap justify-center gap-2">
                {starters.map((starter) => (
                  <Button key={starter.title} size="sm" onClick={() => onEdit({ id: null, ...starter })}>
                    {starter.title}
                  </Button>
                ))}
              </fieldset>
            )}
            {add}
          </div>
        }
      />
    );
  }
  return (
    <div className="flex min-h-0 flex-col gap-3">
      {replies.length > TITLES_WITHOUT_SEARCH && (
        <Input
          type="search"
          aria-label="Поиск заготовок"
          placeholder="Название или текст"
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
      )}
      <ul aria-label="Заготовки" className="flex max-h-[50dvh] flex-col overflow-y-auto">
        {found.map((reply) => (
          <li key={reply.id} className="flex items-start gap-2 border-b py-2 last:border-b-0">
            <div className="min-w-0 flex-1">
              <p className="font-medium text-md [overflow-wrap:anywhere]">{reply.title}</p>
              <p className="line-clamp-2 whitespace-pre-line text-md text-muted [overflow-wrap:anywhere]">
                {reply.text}
              </p>
            </div>
            {!readOnly && (
              <div className="flex shrink-0">
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={`Изменить: ${reply.title}`}
                  onClick={() => onEdit(reply)}
                >
                  <Pencil aria-hidden className="icon text-muted" />
                </Button>
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={`Удалить: ${reply.title}`}
                  onClick={() => setAsking(reply)}
                >
                  <Trash2 aria-hidden className="icon text-muted" />
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="text-md text-muted">Ничего не найдено</p>}
      {add}
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={(open) => !open && setAsking(null)}
        title={`Удалить заготовку «${asking?.title ?? ""}»?`}
        description="Она исчезнет у всех участников организации. Это действие нельзя отменить."
        confirmLabel="Удалить"
        destructive
        busy={remove.isPending}
        onConfirm={() =>
          asking &&
          remove.mutate(asking.id, {
            onSuccess: () => {
              setAsking(null);
              toast({ title: "Заготовка удалена" });
            },
            onError: toastError("Ошибка удаления"),
          })
        }
      />
    </div>
  );
}

function ReplyForm({ reply, onClose }: { reply: Edited; onClose: () => void }) {
  const [title, setTitle] = useState(reply.title);
  const [text, setText] = useState(reply.text);
  const [tried, setTried] = useState(false);
  const save = useSaveReply();

  function submit(event: FormEvent) {
    event.preventDefault();
    // Submit events bubble through React to the composer's form, which must not be sent too.
    event.stopPropagation();
    setTried(true);
    if (title.trim() === "" || text.trim() === "") return;
    save.mutate(
      { id: reply.id, input: { title, text } },
      { onSuccess: onClose, onError: toastError("Не удалось сохранить") },
    );
  }

  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <Field label="Название" error={tried && title.trim() === "" ? "Введите название" : undefined} required>
        <Input
          autoFocus
          maxLength={SAVED_TITLE_LENGTH}
          value={title}
          onChange={({ target }) => setTitle(target.value)}
        />
      </Field>
      <Field
        label="Текст"
        hint={`На месте ${NAME_PLACE} встанет имя собеседника`}
        error={tried && text.trim() === "" ? "Введите текст" : undefined}
        required
      >
        <Textarea
          rows={5}
          maxLength={SAVED_TEXT_LENGTH}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      <DialogFooter className="mt-0!">
        <Button disabled={save.isPending} onClick={onClose}>
          Отмена
        </Button>
        <Button type="submit" variant="primary" busy={save.isPending}>
          Сохранить
        </Button>
      </DialogFooter>
    </form>
  );
}
