import { lazy, Suspense, useId, useMemo } from "react";
import { Link, useSearchParams } from "wouter";
import { crmConversionRate } from "#web/display-values.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { useReimportEnds } from "#web/parts/reimport/reimport-ends.ts";
import { paths } from "#web/paths.ts";
import { isEmptyList, shownOrSample } from "#web/sample-data.ts";
import { EditorButton } from "#web/session/editor-button.tsx";
import { Page } from "#web/shell/page.tsx";
import { SampleBadge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { StatCard } from "#web/ui/figures/stat-card.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Card } from "#web/ui/layout/card.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { VisuallyHidden } from "#web/ui/visually-hidden.tsx";
import { AvailableSystems } from "./available-systems.tsx";
import { CrmCard, CrmCardSkeleton } from "./crm-card.tsx";
import { type CrmEntry, crmEntryOf, crmFigures } from "./crm-entry.ts";
import { useCrmIntegrations } from "./queries.ts";
import { sampleCrmIntegrations } from "./samples.ts";

const CrmSystems = lazy(() => import("./systems/crm-systems.tsx"));

/** A list with more entries than this has a search field. */
const CARDS_WITHOUT_SEARCH = 10;

export default function CrmPage() {
  const id = useId();
  const query = useCrmIntegrations();
  const { data, isSample } = shownOrSample(query, sampleCrmIntegrations, isEmptyList);
  const entries = useMemo(() => data?.map(crmEntryOf), [data]);
  const rows = useMemo(
    () => entries?.map(({ id, name, integration }) => ({ id, name, reimport: integration.reimport })),
    [entries],
  );
  useReimportEnds(rows, query.dataUpdatedAt);
  const figures = crmFigures(entries ?? []);
  const [search, setSearch] = useSearchParams();
  const wanted = search.get("q") ?? "";
  const found = entries?.filter((entry) => matches(entry, wanted));
  const loading = entries === undefined;
  const note = isSample ? <SampleBadge /> : undefined;
  return (
    <Page title="CRM интеграция" description="Синхронизация с CRM системами">
      <div className="mb-6 grid grid-cols-2 gap-3 md:gap-4 lg:grid-cols-4">
        <StatCard label="Подключено CRM" value={figures.connected} loading={loading} note={note} />
        <StatCard label="Всего лидов" value={formatNumber(figures.leads)} loading={loading} note={note} />
        <StatCard
          label={<span lang="en">Active Deals</span>}
          value={formatNumber(figures.deals)}
          loading={loading}
          note={note}
        />
        <StatCard label={<span lang="en">Conversion Rate</span>} value={crmConversionRate} isExample />
      </div>
      <section aria-labelledby={id} className="mb-8">
        <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 id={id} className="text-lg">
            Подключенные системы
          </h2>
          <EditorButton asChild variant="primary">
            <Link href={paths.addIntegration}>+ Добавить интеграцию</Link>
          </EditorButton>
        </div>
        {entries && entries.length > CARDS_WITHOUT_SEARCH && (
          <Input
            type="search"
            aria-label="Поиск системы"
            placeholder="Система, двойник или номер"
            value={wanted}
            onChange={({ target }) => setSearch(target.value ? { q: target.value } : {}, { replace: true })}
            className="mb-3 sm:max-w-80"
          />
        )}
        {loading && <VisuallyHidden role="status">Загружаем интеграции...</VisuallyHidden>}
        <ul className="grid grid-cols-1 gap-3 md:grid-cols-2 md:gap-4 xl:grid-cols-3">
          {found
            ? found.map((entry, at) => <CrmCard key={entry.id || at} entry={entry} isSample={isSample} />)
            : [0, 1, 2].map((card) => <CrmCardSkeleton key={card} />)}
        </ul>
        {found?.length === 0 && (
          <Card>
            <EmptyState
              title="Ничего не найдено"
              action={<Button onClick={() => setSearch({}, { replace: true })}>Сбросить поиск</Button>}
            />
          </Card>
        )}
      </section>
      <Suspense
        fallback={
          <Card className="mb-8">
            <LoadingStatus className="min-h-56">Загружаем CRM...</LoadingStatus>
          </Card>
        }
      >
        <CrmSystems />
      </Suspense>
      <AvailableSystems />
    </Page>
  );
}

function matches({ name, integration }: CrmEntry, wanted: string): boolean {
  const { digitalTwinName, phoneNumber } = integration;
  const text = `${name} ${digitalTwinName ?? ""} ${phoneNumber ?? ""}`.toLocaleLowerCase("ru-RU");
  return wanted
    .toLocaleLowerCase("ru-RU")
    .split(/\s+/)
    .every((word) => text.includes(word));
}
