import { clsx } from "clsx";
import { lazy, Suspense, useState } from "react";
import type { KnowledgeSource } from "#contract/knowledge/knowledge-base.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { useReimportEnds } from "#web/parts/reimport/reimport-ends.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { MoreButton } from "#web/ui/more-button.tsx";
import { platformName } from "#web/ui/platform-icon.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { useKnowledgeSources } from "./queries.ts";
import { SOURCE_GRID, SourceRow } from "./source-row.tsx";
import { TwinSelect } from "./twin-select.tsx";
import type { ChangeAddress, KnowledgeAddress, SourceKind } from "./use-knowledge-address.ts";

// Users with sources never need this code.
const NoSources = lazy(() => import("./no-sources.tsx"));

/** A longer list gets a search field. */
const ROWS_WITHOUT_SEARCH = 10;
/** Maximum number of rendered rows: a user who exports chat by chat has hundreds of sources. */
const PAGE_SIZE = 50;

interface SourcesProps {
  search: string;
  kind: KnowledgeAddress["kind"];
  twin: string;
  order: KnowledgeAddress["order"];
  onAddress: ChangeAddress;
}

const KIND_NAMES: Record<SourceKind, string> = {
  integration: "Подключения",
  export: "Выгрузки",
  paste: "Вставленные",
};

export function Sources({ search, kind, twin, order, onAddress }: SourcesProps) {
  const { data, error, refetch, dataUpdatedAt } = useKnowledgeSources();
  useReimportEnds(data, dataUpdatedAt);
  if (error && !data) {
    return <ErrorCard title="Не удалось загрузить источники данных" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <SourcesSkeleton />;
  if (data.length === 0) {
    return (
      <Suspense fallback={<SourcesSkeleton />}>
        <NoSources onTab={(tab) => onAddress({ tab })} />
      </Suspense>
    );
  }

  const wanted = search.trim().toLowerCase();
  const found = data.filter(
    (source) =>
      (kind === "all" || source.kind === kind) &&
      (twin === "all" || twinOf(source) === twin) &&
      (wanted === "" || textOf(source).includes(wanted)),
  );
  const twins = [...new Map(data.map((source) => [twinOf(source), source.digitalTwinName]))].map(([id, name]) => ({
    id,
    name,
  }));
  if (order !== "new") found.sort((one, other) => other.messagesCount - one.messagesCount);
  const narrowed = wanted !== "" || kind !== "all" || twin !== "all";
  return (
    <section aria-label="Источники данных">
      {(data.length > ROWS_WITHOUT_SEARCH || search !== "" || kind !== "all" || twin !== "all") && (
        <div className="mb-4 flex flex-wrap items-center gap-2">
          <Input
            type="search"
            aria-label="Поиск источника"
            placeholder="Название, двойник или платформа"
            className="sm:max-w-80"
            value={search}
            onChange={(event) => onAddress({ source: event.target.value })}
          />
          <TwinSelect twins={twins} value={twin} onChange={(chosen) => onAddress({ twin: chosen })} />
          <KindFilter sources={data} kind={kind} onKind={(chosen) => onAddress({ kind: chosen })} />
          <Select
            aria-label="Порядок источников"
            className="basis-44 max-sm:flex-1 sm:ms-auto"
            value={order === "new" ? order : ""}
            onChange={(event) => onAddress({ order: event.target.value === "new" ? "new" : "" })}
          >
            <option value="">По размеру</option>
            <option value="new">По дате</option>
          </Select>
        </div>
      )}
      <p role="status" className="sr-only">
        {narrowed && `Найдено: ${plural(found.length, ["источник", "источника", "источников"])}`}
      </p>
      {found.length === 0 ? (
        <EmptyState
          open
          title="Ничего не найдено"
          action={<Button onClick={() => onAddress({ source: "", kind: "all", twin: "all" })}>Сбросить поиск</Button>}
        />
      ) : (
        <SourceTable groups={order === "new" ? [found] : groupByTwin(found)} />
      )}
    </section>
  );
}

/** Returns each twin's sources together, the twin with most messages first; a single group where most twins have one source. */
function groupByTwin(sources: KnowledgeSource[]): KnowledgeSource[][] {
  const groups = [...Map.groupBy(sources, twinOf).values()];
  if (groups.length * 2 > sources.length) return [sources];
  return groups.sort((one, other) => countMessages(other) - countMessages(one));
}

const countMessages = (sources: readonly KnowledgeSource[]) =>
  sources.reduce((sum, { messagesCount }) => sum + messagesCount, 0);

const sizeOf = (sources: readonly KnowledgeSource[]) =>
  `${plural(sources.length, ["источник", "источника", "источников"])} · ${plural(countMessages(sources), ["сообщение", "сообщения", "сообщений"])}`;

function SourceTable({ groups }: { groups: readonly KnowledgeSource[][] }) {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const sources = groups.flat();
  const shown = new Set(sources.slice(0, limit));
  return (
    <>
      <div className={`${SOURCE_GRID} py-1.5 text-sm text-subtle`}>
        <p className="tabular-nums">{sizeOf(sources)}</p>
        {["Платформа", "Сообщений", "Последний импорт", "Состояние"].map((column) => (
          <span key={column} aria-hidden className={clsx("max-xl:hidden", column === "Сообщений" && "text-end")}>
            {column}
          </span>
        ))}
      </div>
      {groups
        .filter(([first]) => shown.has(first!))
        .map((group) => (
          <div key={twinOf(group[0]!)}>
            {groups.length > 1 && (
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t bg-sunken px-2 py-2">
                <Avatar name={group[0]!.digitalTwinName} size="sm" echo />
                <h2 className="min-w-0 flex-1 text-base [overflow-wrap:anywhere]">{group[0]!.digitalTwinName}</h2>
                <p className="text-muted text-sm tabular-nums max-sm:w-full">{sizeOf(group)}</p>
              </div>
            )}
            <ul className="divide-y border-y">
              {group
                .filter((source) => shown.has(source))
                .map((source) => (
                  <SourceRow key={source.id} source={source} heading={groups.length > 1 ? "h3" : "h2"} />
                ))}
            </ul>
          </div>
        ))}
      {sources.length > limit && (
        <div className="p-2 text-center">
          <MoreButton left={sources.length - limit} step={PAGE_SIZE} onShow={() => setLimit(limit + PAGE_SIZE)} />
        </div>
      )}
    </>
  );
}

const twinOf = ({ digitalTwinId, digitalTwinName }: KnowledgeSource) => digitalTwinId ?? digitalTwinName;

interface KindFilterProps {
  sources: readonly KnowledgeSource[];
  kind: KnowledgeAddress["kind"];
  onKind: (kind: KnowledgeAddress["kind"]) => void;
}

/** Filter by origin. It lists only existing kinds and is absent when there is only one. */
function KindFilter({ sources, kind, onKind }: KindFilterProps) {
  const kinds = (Object.keys(KIND_NAMES) as SourceKind[])
    .map((each) => ({ each, count: sources.filter((source) => source.kind === each).length }))
    .filter(({ each, count }) => count > 0 || each === kind);
  if (kinds.length < 2 && kind === "all") return null;
  return (
    <fieldset aria-label="Откуда источник" className="flex flex-wrap gap-1">
      <Button size="sm" variant="ghost" aria-pressed={kind === "all"} onClick={() => onKind("all")}>
        Все <span className="text-muted tabular-nums">{formatNumber(sources.length)}</span>
      </Button>
      {kinds.map(({ each, count }) => (
        <Button key={each} size="sm" variant="ghost" aria-pressed={kind === each} onClick={() => onKind(each)}>
          {KIND_NAMES[each]} <span className="text-muted tabular-nums">{formatNumber(count)}</span>
        </Button>
      ))}
    </fieldset>
  );
}

const textOf = ({ name, digitalTwinName, platform }: KnowledgeSource) =>
  [name, digitalTwinName, platform, platformName(platform)].join("\n").toLowerCase();

function SourcesSkeleton() {
  return (
    <>
      <p role="status" className="sr-only">
        Загружаем источники данных...
      </p>
      <div className="divide-y border-y">
        {[0, 1, 2, 3, 4, 5].map((row) => (
          <div key={row} className="flex min-h-14 items-center gap-3 px-2 py-2">
            <Skeleton className="h-5 w-56 max-w-full" />
            <Skeleton className="ms-auto h-5 w-24" />
          </div>
        ))}
      </div>
    </>
  );
}
