import { GraduationCap, PlugZap } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Link, useSearchParams } from "wouter";
import type { Twin } from "#contract/twins.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { findTwins, twinFigures } from "#web/parts/twins/twin-figures.ts";
import { paths } from "#web/paths.ts";
import { EditorButton } from "#web/session/editor-button.tsx";
import { Page } from "#web/shell/page.tsx";
import { Button } from "#web/ui/button.tsx";
import { StatCard } from "#web/ui/figures/stat-card.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Card } from "#web/ui/layout/card.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { TwinRow, TwinRowSkeleton } from "./twin-row.tsx";

const FirstTwin = lazy(() => import("#web/parts/twins/first-twin.tsx"));

const ROWS_WITHOUT_SEARCH = 10;

export default function TwinsPage() {
  const { data: twins, error, refetch } = useTwins();
  const empty = twins?.length === 0;
  return (
    <Page title="Цифровые двойники" create={empty ? { quiet: true } : true}>
      <div className="flex flex-col gap-8">
        <Figures twins={twins} failed={error !== null} />
        {error ? (
          <>
            <ListLinks />
            <ErrorCard title="Не удалось загрузить двойников" error={error} onRetry={() => void refetch()} />
          </>
        ) : empty ? (
          <>
            <ListLinks />
            <Suspense>
              <NoTwins />
            </Suspense>
          </>
        ) : (
          <TwinList twins={twins} />
        )}
      </div>
    </Page>
  );
}

/** @param failed whether loading failed, so that the cards have no figures */
function Figures({ twins, failed }: { twins: Twin[] | undefined; failed: boolean }) {
  const [now] = useState(Date.now);
  const figures = twinFigures(twins ?? [], now);
  const shown = [
    ["Всего двойников", figures.total],
    ["Активные", figures.active],
    ["Неактивные", figures.inactive],
    ["В этом месяце", figures.thisMonth],
  ] as const;
  return (
    <section aria-label="Показатели" className="grid grid-cols-2 gap-3 md:gap-4 lg:grid-cols-4">
      {shown.map(([label, value]) => (
        <StatCard
          key={label}
          label={label}
          value={failed ? "—" : formatNumber(value)}
          loading={twins === undefined && !failed}
        />
      ))}
    </section>
  );
}

function NoTwins() {
  return (
    <FirstTwin
      title="Пока нет цифровых двойников"
      description="Двойник отвечает за вас в вашей манере: по вашим документам и перепискам."
      also={
        <>
          Переписки под&nbsp;рукой нет? Опишите двойника словами.{" "}
          <EditorButton asChild size="sm" className="max-sm:mt-2 max-sm:w-full">
            <Link href={paths.createTwin}>Создать первого двойника</Link>
          </EditorButton>
        </>
      }
    />
  );
}

/** The search and the open chat are kept in the address: `?q=…&chat={twin id}`. */
function TwinList({ twins }: { twins: Twin[] | undefined }) {
  const [search, setSearch] = useSearchParams();
  const query = search.get("q") ?? "";
  const openChat = search.get("chat");
  const found = twins && findTwins(twins, query);

  function change(name: "q" | "chat", value: string | null) {
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  }

  return (
    <section aria-label="Список двойников">
      <div className="mb-4 flex min-h-control flex-wrap items-center justify-between gap-x-4 gap-y-3">
        {twins === undefined && <LoadingStatus>Загружаем двойников...</LoadingStatus>}
        {twins && twins.length > ROWS_WITHOUT_SEARCH && (
          <Input
            type="search"
            aria-label="Поиск двойника"
            placeholder="Имя или описание"
            value={query}
            onChange={(event) => change("q", event.target.value)}
            className="sm:max-w-80"
          />
        )}
        {twins && <ListLinks />}
      </div>
      {query && found && (
        <p role="status" className="sr-only">
          Найдено: {plural(found.length, ["двойник", "двойника", "двойников"])}
        </p>
      )}
      {found?.length === 0 ? (
        <Card>
          <EmptyState
            title="Ничего не найдено"
            action={<Button onClick={() => change("q", null)}>Сбросить поиск</Button>}
          />
        </Card>
      ) : (
        <ul className="divide-y border-t">
          {found
            ? found.map((twin) => (
                <TwinRow
                  key={twin.id}
                  twin={twin}
                  chatOpen={twin.id === openChat}
                  waits={found.length <= ROWS_WITHOUT_SEARCH}
                  onToggleChat={() => change("chat", twin.id === openChat ? null : twin.id)}
                />
              ))
            : [0, 1, 2].map((row) => <TwinRowSkeleton key={row} />)}
        </ul>
      )}
    </section>
  );
}

function ListLinks() {
  return (
    <div className="flex flex-wrap gap-2 max-sm:w-full">
      <EditorButton asChild className={compactLink}>
        <Link href={paths.trainAi}>
          <GraduationCap aria-hidden className="icon" />
          Обучить ИИ
        </Link>
      </EditorButton>
      <EditorButton asChild className={compactLink}>
        <Link href={paths.addIntegration}>
          <PlugZap aria-hidden className="icon" />
          Добавить интеграцию
        </Link>
      </EditorButton>
    </div>
  );
}

const compactLink = "max-sm:flex-1 max-sm:px-2 max-sm:text-sm max-sm:[&>svg]:hidden";
