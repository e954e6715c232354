import { useQuery } from "@tanstack/react-query";
import { analyticsApi } from "#contract/analytics.ts";
import { queryOf } from "#web/api/query.ts";
import { formatRecent } from "#web/i18n/format.ts";
import { Button } from "#web/ui/button.tsx";
import { ScrollRegion } from "#web/ui/layout/scroll-region.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";

export function RecentActivity() {
  const { data, isPending, isError, refetch } = useQuery(queryOf(analyticsApi.activity));
  if (isPending) return <LoadingStatus className="py-8">Загрузка...</LoadingStatus>;
  if (isError) {
    return (
      <div className="flex flex-col items-center gap-3 p-6 text-center text-md">
        <p>Не удалось загрузить активность</p>
        <Button size="sm" onClick={() => void refetch()}>
          Повторить
        </Button>
      </div>
    );
  }
  if (data.length === 0) return <p className="p-6 text-center text-md text-muted">Нет активности</p>;
  return (
    <ScrollRegion aria-label="Последние события" className="max-h-96">
      <ul className="py-2">
        {data.slice(0, 10).map((entry) => (
          <li key={entry.id} className="flex gap-3 px-4 py-2">
            <span
              aria-hidden
              className={`mt-1.5 size-2 shrink-0 rounded-full ${entry.type === "response_generated" ? "bg-success" : "bg-info"}`}
            />
            <div className="min-w-0">
              <p className="text-md">{entry.description}</p>
              <p className="text-sm text-subtle">
                {entry.twinName}, {formatRecent(entry.timestamp)}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </ScrollRegion>
  );
}
