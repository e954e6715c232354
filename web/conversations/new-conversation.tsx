import { Plus } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { useTwins } from "#web/parts/twins/queries.ts";
import { ActivityBadge } from "#web/parts/twins/twin-badges.tsx";
import { findTwins } from "#web/parts/twins/twin-figures.ts";
import { paths } from "#web/paths.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Dialog, DialogContent } from "#web/ui/overlays/dialog.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { ReadOnlyNote } from "#web/ui/states/read-only.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { useOpenConversation } from "./queries.ts";

const TWINS_WITHOUT_SEARCH = 10;

interface NewConversationProps {
  onOpened: (conversationId: string) => void;
  onClose: () => void;
}

export default function NewConversation({ onOpened, onClose }: NewConversationProps) {
  const readOnly = useReadOnly();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title="Новый диалог" description="Выберите двойника, с которым хотите поговорить.">
        {readOnly ? <ReadOnlyNote reason={readOnly} /> : <TwinChoice onOpened={onOpened} />}
      </DialogContent>
    </Dialog>
  );
}

function TwinChoice({ onOpened }: Pick<NewConversationProps, "onOpened">) {
  const { data: twins, error, refetch } = useTwins();
  const [query, setQuery] = useState("");
  const open = useOpenConversation();

  function choose(twinId: string) {
    open.mutate(twinId, {
      onSuccess: ({ id }) => onOpened(id),
      onError: toastError("Не удалось начать диалог"),
    });
  }

  if (error) {
    return <ErrorCard title="Не удалось загрузить двойников" error={error} onRetry={() => void refetch()} />;
  }
  if (!twins) return <LoadingStatus className="h-32">Загружаем двойников...</LoadingStatus>;
  if (twins.length === 0) {
    return (
      <EmptyState
        title="Пока нет цифровых двойников"
        description="Создайте двойника, и с ним можно будет поговорить."
        action={
          <Button asChild variant="primary">
            <Link href={paths.createTwin}>
              <Plus aria-hidden className="icon" />
              Создать первого двойника
            </Link>
          </Button>
        }
      />
    );
  }
  const found = findTwins(twins, query);
  return (
    <div ref={takeFocus}>
      {twins.length > TWINS_WITHOUT_SEARCH && (
        <Input
          type="search"
          aria-label="Поиск двойника"
          placeholder="Имя или описание"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="mb-3"
        />
      )}
      {found.length === 0 && <EmptyState title="Ничего не найдено" />}
      <ul className="-mx-2 flex flex-col gap-1">
        {found.map((twin) => (
          <li key={twin.id}>
            <button
              type="button"
              disabled={open.isPending}
              onClick={() => choose(twin.id)}
              className="flex w-full items-center gap-4 rounded-md p-2 text-start transition-colors hover:bg-hover disabled:opacity-55"
            >
              <Avatar name={twin.name} echo />
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium text-base">{twin.name}</span>
                <span className="line-clamp-2 text-md text-muted">{twin.description}</span>
              </span>
              {!twin.isActive && <ActivityBadge isActive={false} />}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Moves the focus to the twins once they have loaded, which happens after the dialog has opened. */
function takeFocus(choice: HTMLElement | null) {
  choice?.querySelector<HTMLElement>("input, button")?.focus();
}
