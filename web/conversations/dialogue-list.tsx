import { Inbox, PlugZap, SearchX } from "lucide-react";
import type { RefObject } from "react";
import { Link } from "wouter";
import { plural } from "#web/i18n/plural.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import type { Dialogue } from "./dialogue.ts";
import type { DialogueAddress, DialogueTab } from "./dialogue-address.ts";
import { DialogueRow, DialogueRowSkeleton } from "./dialogue-row.tsx";

interface DialogueListProps {
  address: DialogueAddress;
  /** Undefined while the dialogues are loading. */
  dialogues: readonly Dialogue[] | undefined;
  error: unknown;
  more: { has: boolean; loading: boolean; load: () => void };
  listRef: RefObject<HTMLUListElement | null>;
  onRetry: () => void;
}

export function DialogueList({ address, dialogues, error, more, listRef, onRetry }: DialogueListProps) {
  const { tab, q, platform, twinId, whose, dialogueId, change } = address;
  const filtered = Boolean(q || platform || twinId || whose);
  if (error) {
    return <ErrorCard className="m-4" title="Не удалось загрузить диалоги" error={error} onRetry={onRetry} />;
  }
  if (!dialogues) {
    return (
      <>
        <LoadingStatus className="border-b py-4">Загружаем диалоги...</LoadingStatus>
        <ul>
          {[0, 1, 2].map((row) => (
            <DialogueRowSkeleton key={row} />
          ))}
        </ul>
      </>
    );
  }
  return (
    <>
      {filtered && (
        <p role="status" className="sr-only">
          Найдено: {plural(dialogues.length, ["диалог", "диалога", "диалогов"])}
        </p>
      )}
      {dialogues.length === 0 && filtered && (
        <EmptyState
          icon={SearchX}
          title="Ничего не найдено"
          action={
            <Button onClick={() => change({ q: null, platform: null, twin: null, whose: null })}>Сбросить</Button>
          }
        />
      )}
      {dialogues.length === 0 && !filtered && <EmptyTab tab={tab} />}
      <ul ref={listRef} aria-label="Диалоги">
        {dialogues.map((dialogue) => (
          <DialogueRow
            key={dialogue.id}
            dialogue={dialogue}
            selected={dialogue.id === dialogueId}
            // From one dialogue to the next «back» leads to the list, not through each of them.
            onOpen={() => change({ dialog: dialogue.id }, { push: dialogueId === null })}
          />
        ))}
      </ul>
      {more.has && (
        <div className="border-t p-3 text-center">
          <Button busy={more.loading} onClick={more.load}>
            Показать ещё
          </Button>
        </div>
      )}
    </>
  );
}

const emptyTabs: Record<DialogueTab, { title: string; description?: string }> = {
  all: { title: "Пока нет диалогов" },
  approval: {
    title: "Ничто не ждёт одобрения",
    description: "Когда двойник подключён к мессенджеру или почте и пишет черновики, они приходят сюда.",
  },
  twin: { title: "Двойник не ведёт ни одного диалога" },
  me: {
    title: "Вы не ведёте ни одного диалога",
    description: "Здесь стоят диалоги мессенджеров и почты, в которых вы отвечаете вместо двойника.",
  },
  closed: { title: "Закрытых диалогов нет" },
};

/** Empty state for dialogues with contacts, with a link to connect a platform. */
export function EmptyTab({ tab }: { tab: DialogueTab }) {
  const fromChannels = tab === "approval" || tab === "me";
  return (
    <EmptyState
      icon={fromChannels ? PlugZap : Inbox}
      {...emptyTabs[tab]}
      action={
        fromChannels && (
          <Button asChild>
            <Link href={paths.addIntegration}>Добавить интеграцию</Link>
          </Button>
        )
      }
    />
  );
}
