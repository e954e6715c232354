import { formatRecent } from "#web/i18n/format.ts";
import { MoreRows } from "#web/ui/layout/paged-list.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { ScrollRegion } from "#web/ui/layout/scroll-region.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useIntegrationEvents } from "./integration-queries.ts";

export function EventLog({ id }: { id: string }) {
  const query = useIntegrationEvents(id);
  const { data, error, refetch } = query;
  return (
    <PaperSection id="events" title="Журнал" description="Подключения, ошибки и проверки">
      {data === undefined ? (
        error ? (
          <ErrorCard title="Не удалось загрузить журнал" error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingStatus className="min-h-32">Загружаем журнал...</LoadingStatus>
        )
      ) : data.length === 0 ? (
        <EmptyState
          open
          title="Пока ничего не случилось"
          description="Здесь по порядку встанет всё, что было с каналом: когда подключился, где терял связь, что не доставил и чем кончились проверки."
        />
      ) : (
        <ScrollRegion aria-label="События" className="max-h-[28rem] border-y">
          <ol className="divide-y">
            {data.map(({ id, text, createdAt }) => (
              <li key={id} className="flex flex-wrap items-baseline gap-x-6 py-2.5">
                <time dateTime={createdAt} className="w-36 shrink-0 text-sm text-subtle tabular-nums">
                  {formatRecent(createdAt)}
                </time>
                <span className="min-w-0 flex-1 basis-60 text-md [overflow-wrap:anywhere]">{text}</span>
              </li>
            ))}
          </ol>
        </ScrollRegion>
      )}
      <MoreRows query={query} />
    </PaperSection>
  );
}
