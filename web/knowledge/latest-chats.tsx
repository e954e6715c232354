import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { type KnowledgeSource, knowledgeBaseApi } from "#contract/knowledge/knowledge-base.ts";
import { queryOf } from "#web/api/query.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { paths } from "#web/paths.ts";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";

const LATEST = 3;

export default function LatestChats() {
  const { data, error, refetch } = useQuery(queryOf(knowledgeBaseApi.sources));
  if (error && !data) {
    return <ErrorCard title="Не удалось загрузить переписки" error={error} onRetry={() => void refetch()} />;
  }
  const count = data?.length ?? 0;
  return (
    <PaperSection
      id="chats"
      title="Загруженные переписки"
      action={count > 0 && <span className="text-md text-subtle tabular-nums">{formatNumber(count)}</span>}
    >
      {data === undefined ? (
        <Skeleton className="h-40 w-full" />
      ) : count === 0 ? (
        <EmptyState open title="Переписок пока нет" />
      ) : (
        <>
          <ul className="divide-y border-y">
            {data.slice(0, LATEST).map((source) => (
              <Chat key={source.id} source={source} />
            ))}
          </ul>
          <Link
            href={paths.knowledge}
            className="mt-3 inline-block font-medium text-md text-primary-text underline underline-offset-4"
          >
            Все в «Базе знаний»
          </Link>
        </>
      )}
    </PaperSection>
  );
}

const Chat = ({ source: { name, messagesCount, digitalTwinName } }: { source: KnowledgeSource }) => (
  <li className="py-2">
    <p className="truncate font-medium text-md">{name}</p>
    <p className="mt-1 truncate text-sm text-subtle">
      {plural(messagesCount, ["сообщение", "сообщения", "сообщений"])} · {digitalTwinName}
    </p>
  </li>
);
