import { Database } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { KnowledgeSource } from "#contract/knowledge/knowledge-base.ts";
import { plural } from "#web/i18n/plural.ts";
import { useReimportEnds } from "#web/parts/reimport/reimport-ends.ts";
import { paths } from "#web/paths.ts";
import { EditorButton } from "#web/session/editor-button.tsx";
import { Button } from "#web/ui/button.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Card } from "#web/ui/layout/card.tsx";
import { platformName } from "#web/ui/platform-icon.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { useKnowledgeSources } from "./queries.ts";
import { SourceRow } from "./source-row.tsx";

/** A list with more entries than this has a search field. */
const ROWS_WITHOUT_SEARCH = 10;
/** Maximum number of rendered rows: a user who exports chat by chat has hundreds of sources. */
const PAGE_SIZE = 50;

interface SourcesCardProps {
  search: string;
  onSearch: (text: string) => void;
}

export function SourcesCard({ search, onSearch }: SourcesCardProps) {
  const { data, error, refetch, dataUpdatedAt } = useKnowledgeSources();
  useReimportEnds(data, dataUpdatedAt);
  const [limit, setLimit] = useState(PAGE_SIZE);
  if (error && !data) {
    return <ErrorCard title="Не удалось загрузить источники данных" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <SourcesSkeleton />;
  if (data.length === 0) return <NoSources />;

  const wanted = search.trim().toLowerCase();
  const found = wanted ? data.filter((source) => textOf(source).includes(wanted)) : data;
  return (
    <Card aria-label="Источники данных">
      {(data.length > ROWS_WITHOUT_SEARCH || search !== "") && (
        <div className="border-b p-3 md:px-5">
          <Input
            type="search"
            aria-label="Поиск источника"
            placeholder="Название, двойник или платформа"
            className="sm:max-w-80"
            value={search}
            onChange={(event) => onSearch(event.target.value)}
          />
        </div>
      )}
      <p role="status" className="sr-only">
        {wanted && `Найдено: ${plural(found.length, ["источник", "источника", "источников"])}`}
      </p>
      {found.length === 0 ? (
        <EmptyState title="Ничего не найдено" action={<Button onClick={() => onSearch("")}>Сбросить поиск</Button>} />
      ) : (
        <ul className="divide-y">
          {found.slice(0, limit).map((source) => (
            <SourceRow key={source.id} source={source} />
          ))}
          {found.length > limit && (
            <li className="p-2 text-center">
              <Button variant="ghost" onClick={() => setLimit(limit + PAGE_SIZE)}>
                Показать ещё {Math.min(PAGE_SIZE, found.length - limit)}
              </Button>
            </li>
          )}
        </ul>
      )}
    </Card>
  );
}

const textOf = ({ name, digitalTwinName, platform }: KnowledgeSource) =>
  [name, digitalTwinName, platform, platformName(platform)].join("\n").toLowerCase();

function NoSources() {
  return (
    <Card>
      <EmptyState
        icon={Database}
        title="Источники данных не найдены"
        description="Вставьте переписку или загрузите файл выгрузки: она станет источником."
        action={
          <EditorButton asChild>
            <Link href={`${paths.trainAi}?tab=dialogues`}>Загрузить переписку</Link>
          </EditorButton>
        }
      />
    </Card>
  );
}

function SourcesSkeleton() {
  return (
    <Card>
      <p role="status" className="sr-only">
        Загружаем источники данных...
      </p>
      <div className="divide-y">
        {[0, 1, 2].map((row) => (
          <div key={row} className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-4 md:px-5">
            <div className="flex min-w-0 flex-1 basis-72 flex-col gap-2">
              <Skeleton className="h-6 w-56 max-w-full" />
              <Skeleton className="h-5 w-72 max-w-full" />
            </div>
            <Skeleton className="h-8 w-32" />
          </div>
        ))}
      </div>
    </Card>
  );
}
