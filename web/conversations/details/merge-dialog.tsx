import { clsx } from "clsx";
import { useDeferredValue, useState } from "react";
import type { PersonChannel } from "#contract/conversations/contact-card.ts";
import { formatRecent } from "#web/i18n/format.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Dialog, DialogContent } from "#web/ui/overlays/dialog.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { useListbox } from "../listbox.ts";
import { PlatformLabel } from "../platform-label.tsx";
import { useCandidates, useMergeContact } from "./contact-queries.ts";

interface MergeDialogProps {
  conversationId: string;
  name: string;
  onClose: () => void;
}

/** Dialog that finds another contact of the same person and joins the two. */
export default function MergeDialog({ conversationId, name, onClose }: MergeDialogProps) {
  const [query, setQuery] = useState("");
  const { data: found = [], error, isPending, refetch } = useCandidates(conversationId, useDeferredValue(query.trim()));
  const merge = useMergeContact(conversationId);

  function take(channel: PersonChannel) {
    if (merge.isPending) return;
    merge.mutate(channel.conversationId, {
      onSuccess: () => {
        toast({ title: "Диалоги объединены", description: `${name} и ${channel.name} теперь один человек` });
        onClose();
      },
      onError: toastError("Не удалось объединить диалоги"),
    });
  }

  const list = useListbox(found, take);
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        size="sm"
        title={`Кто ещё — «${name}»?`}
        description="Записи о нём, обращение и отказ от ответов ИИ станут общими для его каналов. Объединяйте, только если уверены, что это один человек. Ответы, открытые всем потому, что их получили трое, пересчитаются и могут закрыться."
      >
        <Input
          autoFocus
          role="combobox"
          aria-label="Найти собеседника"
          aria-expanded={found.length > 0}
          placeholder="Имя или @имя"
          maxLength={200}
          value={query}
          onChange={({ target }) => {
            setQuery(target.value);
            list.setActive(0);
          }}
          onKeyDown={list.press}
          {...list.fieldProps}
        />
        {error ? (
          <ErrorCard
            className="mt-3"
            title="Не удалось найти собеседников"
            error={error}
            onRetry={() => void refetch()}
          />
        ) : isPending ? (
          <LoadingStatus className="mt-3">Ищем собеседников...</LoadingStatus>
        ) : found.length === 0 ? (
          <p role="status" className="mt-3 text-md text-muted">
            {query.trim() === "" ? "У двойника пока нет других собеседников." : "Такого собеседника нет."}
          </p>
        ) : (
          <div
            role="listbox"
            id={list.listId}
            aria-label="Собеседники"
            tabIndex={-1}
            className="mt-2 flex max-h-72 flex-col overflow-y-auto"
          >
            {found.map((channel, place) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and takes the keys
              <div
                key={channel.conversationId}
                role="option"
                tabIndex={-1}
                id={list.optionId(place)}
                aria-selected={place === list.active}
                onPointerMove={() => list.setActive(place)}
                onClick={() => take(channel)}
                className={clsx(
                  "flex min-h-11 cursor-pointer items-center gap-3 rounded-sm px-2 py-1",
                  place === list.active && "bg-hover",
                )}
              >
                <Avatar name={channel.name} who="contact" />
                <span className="min-w-0 flex-1">
                  <span className="block truncate text-md">{channel.name}</span>
                  <span className="flex flex-wrap items-center gap-x-2 text-muted text-sm">
                    <PlatformLabel platform={channel.platform} />
                    {channel.handle}
                  </span>
                </span>
                <span className="shrink-0 text-muted text-sm">{formatRecent(channel.lastMessageTime)}</span>
              </div>
            ))}
          </div>
        )}
      </DialogContent>
    </Dialog>
  );
}
