import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useId, useMemo } from "react";
import { Link, useSearchParams } from "wouter";
import { type OpenChat, widgetApi } from "#contract/integrations/widget.ts";
import { queryOf } from "#web/api/query.ts";
import { plural } from "#web/i18n/plural.ts";
import { isDisconnected } from "#web/parts/connection-states.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { shownOrSample } from "#web/sample-data.ts";
import { EditorButton } from "#web/session/editor-button.tsx";
import { SampleBadge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { platformName } from "#web/ui/platform-icon.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { VisuallyHidden } from "#web/ui/visually-hidden.tsx";
import { IntegrationRow, IntegrationRowSkeleton } from "./integration-row.tsx";
import { useIntegrations } from "./queries.ts";
import { sampleIntegrations } from "./samples.ts";
import { nameOf, type ShownIntegration, twinNameOf } from "./shown-integration.ts";
import { SiteChatRow } from "./site-chat-row.tsx";

const ROWS_WITHOUT_SEARCH = 10;

/** «Активные интеграции (N)», including the owner's chat widgets; the search is kept in the address as `?q=`. */
export function ActiveIntegrations() {
  const id = useId();
  const query = useIntegrations();
  const { data, isSample } = shownOrSample(query, sampleIntegrations);
  const widgets = useQuery(queryOf(widgetApi.list));
  // Beside samples the owner's own widgets would look invented.
  const chats = isSample ? [] : (widgets.data ?? []);
  const count = data && (isSample || !widgets.isPending) ? data.length + chats.length : undefined;
  const twins = useTwins();
  const names = useMemo(() => new Map((twins.data ?? []).map(({ id, name }) => [id, name])), [twins.data]);
  const [search, setSearch] = useSearchParams();
  const wanted = search.get("q") ?? "";
  // Entries with problems come first; the others keep their order.
  const found = data
    ?.filter((entry) => matches(wordsOf(entry, names), wanted))
    .toSorted((a, b) => Number(isDisconnected(b)) - Number(isDisconnected(a)));
  const foundChats = chats.filter((chat) => matches(wordsOfChat(chat), wanted));
  const foundCount = found && found.length + foundChats.length;

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
    <PaperSection
      id={id}
      title={count === undefined ? "Активные интеграции" : `Активные интеграции (${count})`}
      action={isSample && <SampleBadge />}
    >
      {isSample && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pb-4">
          <p className="text-md text-muted">
            Не удалось загрузить ваши интеграции: ниже пример того, как они выглядят.
          </p>
          <Button size="sm" busy={query.isFetching} onClick={() => void query.refetch()}>
            {!query.isFetching && <RotateCw aria-hidden className="icon" />}
            Повторить
          </Button>
        </div>
      )}
      {count !== undefined && count > ROWS_WITHOUT_SEARCH && (
        <div className="pb-4">
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
      {wanted && foundCount !== undefined && (
        <p role="status" className="sr-only">
          Найдено: {plural(foundCount, ["интеграция", "интеграции", "интеграций"])}
        </p>
      )}
      {count === 0 ? (
        <EmptyState
          open
          title="Пока нет интеграций"
          description="Проще всего начать с бота Telegram: нужен один ключ. Здесь же появятся почта и другие платформы."
          action={
            <EditorButton asChild>
              <Link href={`${paths.addIntegration}?platform=telegram`}>Подключить бота</Link>
            </EditorButton>
          }
        />
      ) : count !== undefined && foundCount === 0 ? (
        <EmptyState open title="Ничего не найдено" action={<Button onClick={() => find("")}>Сбросить поиск</Button>} />
      ) : (
        <>
          {!found && <VisuallyHidden role="status">Загружаем интеграции...</VisuallyHidden>}
          <ul className="divide-y border-y">
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
            {found && foundChats.map((chat) => <SiteChatRow key={chat.twinId} chat={chat} />)}
          </ul>
        </>
      )}
    </PaperSection>
  );
}

function matches(text: string, wanted: string): boolean {
  const words = wanted.toLocaleLowerCase("ru-RU").split(/\s+/).filter(Boolean);
  return words.every((word) => text.toLocaleLowerCase("ru-RU").includes(word));
}

const wordsOf = (entry: ShownIntegration, names: ReadonlyMap<string, string>) =>
  [nameOf(entry), twinNameOf(entry, names), platformName(entry.platform)].join(" ");

const wordsOfChat = ({ title, twinName, sites }: OpenChat) =>
  [title, twinName, platformName("web"), ...sites].join(" ");
