import { Plug, Plus, RotateCw } from "lucide-react";
import { useId, useMemo } from "react";
import { Link, useSearchParams } from "wouter";
import { plural } from "#web/i18n/plural.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { shownOrSample } from "#web/sample-data.ts";
import { EditorButton } from "#web/session/editor-button.tsx";
import { SampleBadge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Card, CardHeader } from "#web/ui/layout/card.tsx";
import { platformName } from "#web/ui/platform-icon.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { VisuallyHidden } from "#web/ui/visually-hidden.tsx";
import { IntegrationRow, IntegrationRowSkeleton } from "./integration-row.tsx";
import { useIntegrations } from "./queries.ts";
import { sampleIntegrations } from "./samples.ts";
import { phoneOf, type ShownIntegration, twinNameOf } from "./shown-integration.ts";
import { SiteChats } from "./site-chats.tsx";

/** A list with more entries than this has a search field. */
const ROWS_WITHOUT_SEARCH = 10;

/** «Активные интеграции (N)»: the search stands in the address as `?q=`. */
export function ActiveIntegrations() {
  const id = useId();
  const query = useIntegrations();
  const { data, isSample } = shownOrSample(query, sampleIntegrations);
  const twins = useTwins();
  const names = useMemo(() => new Map((twins.data ?? []).map(({ id, name }) => [id, name])), [twins.data]);
  const [search, setSearch] = useSearchParams();
  const wanted = search.get("q") ?? "";
  const found = data?.filter((entry) => matches(entry, names, wanted));

  function find(text: string) {
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (text) next.set("q", text);
        else next.delete("q");
        return next;
      },
      { replace: true },
    );
  }

  return (
    <Card aria-labelledby={id}>
      <CardHeader
        id={id}
        title={data ? `Активные интеграции (${data.length})` : "Активные интеграции"}
        action={
          <div className="flex flex-wrap items-center gap-2">
            {isSample && <SampleBadge />}
            <EditorButton asChild size="sm">
              <Link href={paths.addIntegration}>
                <Plus aria-hidden className="icon" />
                Добавить интеграцию
              </Link>
            </EditorButton>
          </div>
        }
      />
      {isSample && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-4 py-3 md:px-5">
          <p className="text-md text-muted">
            Не удалось загрузить ваши интеграции: ниже пример того, как они выглядят.
          </p>
          <Button size="sm" busy={query.isFetching} onClick={() => void query.refetch()}>
            {!query.isFetching && <RotateCw aria-hidden className="icon" />}
            Повторить
          </Button>
        </div>
      )}
      {data && data.length > ROWS_WITHOUT_SEARCH && (
        <div className="border-b p-4 md:px-5">
          <Input
            type="search"
            aria-label="Поиск интеграции"
            placeholder="Номер, двойник или платформа"
            value={wanted}
            onChange={(event) => find(event.target.value)}
            className="sm:max-w-80"
          />
        </div>
      )}
      {wanted && found && (
        <p role="status" className="sr-only">
          Найдено: {plural(found.length, ["интеграция", "интеграции", "интеграций"])}
        </p>
      )}
      {data?.length === 0 ? (
        <EmptyState
          icon={Plug}
          title="Пока нет интеграций"
          description="Проще всего начать с бота Telegram: нужен один ключ. Здесь же появятся почта и другие платформы."
          action={
            <EditorButton asChild variant="primary">
              <Link href={`${paths.addIntegration}?platform=telegram`}>Подключить бота</Link>
            </EditorButton>
          }
        />
      ) : found?.length === 0 ? (
        <EmptyState title="Ничего не найдено" action={<Button onClick={() => find("")}>Сбросить поиск</Button>} />
      ) : (
        <>
          {!found && <VisuallyHidden role="status">Загружаем интеграции...</VisuallyHidden>}
          <ul className="divide-y">
            {found
              ? found.map((entry, at) => (
                  <IntegrationRow
                    key={entry.id || at}
                    entry={entry}
                    twinName={twinNameOf(entry, names)}
                    isSample={isSample}
                  />
                ))
              : [0, 1].map((row) => <IntegrationRowSkeleton key={row} />)}
          </ul>
        </>
      )}
      <SiteChats />
    </Card>
  );
}

function matches(entry: ShownIntegration, names: ReadonlyMap<string, string>, wanted: string): boolean {
  const words = wanted.toLocaleLowerCase("ru-RU").split(/\s+/).filter(Boolean);
  const text = [phoneOf(entry), twinNameOf(entry, names), platformName(entry.platform)]
    .join(" ")
    .toLocaleLowerCase("ru-RU");
  return words.every((word) => text.includes(word));
}
