import { Link } from "wouter";
import type { Integration } from "#contract/integrations/integrations.ts";
import { formatRecent } from "#web/i18n/format.ts";
import { paths } from "#web/paths.ts";
import { Card, CardHeader } from "#web/ui/layout/card.tsx";
import { platformName } from "#web/ui/platform-icon.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useRecentConversations } from "../queries.ts";

const SHOWN = 5;

/** Who wrote last on this platform to this twin, and what was said; other accounts of the platform are among them. */
export default function RecentConversations({ integration }: { integration: Integration }) {
  const { platform, digitalTwinName } = integration;
  const { data, error, refetch } = useRecentConversations(integration);
  return (
    <Card aria-labelledby="recent-conversations">
      <CardHeader
        id="recent-conversations"
        title="Последние диалоги"
        description={`${platformName(platform)} · ${digitalTwinName}`}
      />
      {data === undefined ? (
        error ? (
          <ErrorCard
            title="Не удалось загрузить диалоги"
            error={error}
            onRetry={() => void refetch()}
            className="border-0"
          />
        ) : (
          <LoadingStatus className="min-h-32">Загружаем диалоги...</LoadingStatus>
        )
      ) : data.length === 0 ? (
        <EmptyState
          title="Пока никто не написал"
          description="Здесь встанут последние, кто написал двойнику, и чем кончился разговор."
        />
      ) : (
        <ul className="divide-y">
          {data.slice(0, SHOWN).map(({ id, participants, lastMessage, updatedAt }) => (
            <li key={id} className="relative px-4 py-2.5 hover:bg-hover md:px-5">
              <p className="flex items-center gap-3 text-md">
                {/* The whole line takes the press, and the link is named by the person alone. */}
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
    </Card>
  );
}
