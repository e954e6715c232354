import { Link } from "wouter";
import type { Integration } from "#contract/integrations/integrations.ts";
import { formatRecent } from "#web/i18n/format.ts";
import { paths } from "#web/paths.ts";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useRecentConversations } from "../conversation-queries.ts";

const SHOWN = 5;

export default function RecentConversations({ integration }: { integration: Integration }) {
  const { data, error, refetch } = useRecentConversations(integration);
  return (
    <PaperSection id="recent-conversations" title="Последние диалоги">
      {data === undefined ? (
        error ? (
          <ErrorCard title="Не удалось загрузить диалоги" error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingStatus className="min-h-32">Загружаем диалоги...</LoadingStatus>
        )
      ) : data.length === 0 ? (
        <EmptyState
          open
          title="Пока никто не написал"
          description="Здесь встанут последние, кто написал двойнику, и чем кончился разговор."
        />
      ) : (
        <ul className="divide-y border-y">
          {data.slice(0, SHOWN).map(({ id, participants, lastMessage, updatedAt }) => (
            <li key={id} className="relative px-2 py-2.5 hover:bg-hover">
              <p className="flex items-center gap-3 text-md">
                {/* The whole row is clickable; the link's accessible name is the contact's name alone. */}
                <Link
                  href={paths.conversation(id)}
                  className="min-w-0 flex-1 truncate font-medium after:absolute after:inset-0"
                >
                  {participants.name}
                </Link>
                <time dateTime={updatedAt} className="text-sm text-subtle tabular-nums">
                  {formatRecent(updatedAt)}
                </time>
              </p>
              {lastMessage && <p className="truncate text-md text-muted">{lastMessage}</p>}
            </li>
          ))}
        </ul>
      )}
    </PaperSection>
  );
}
