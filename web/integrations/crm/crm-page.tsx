import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useId, useMemo, useState } from "react";
import { Link, useSearchParams } from "wouter";
import type { CrmSystem } from "#contract/integrations/crm.ts";
import { widgetApi } from "#contract/integrations/widget.ts";
import { queryOf } from "#web/api/query.ts";
import { useReimportEnds } from "#web/parts/reimport/reimport-ends.ts";
import { paths } from "#web/paths.ts";
import { isEmptyList, shownOrSample } from "#web/sample-data.ts";
import { EditorButton } from "#web/session/editor-button.tsx";
import { Page } from "#web/shell/page.tsx";
import { Button } from "#web/ui/button.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Card } from "#web/ui/layout/card.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { SampleNotice } from "#web/ui/states/sample-notice.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { AvailableSystems } from "./available-systems.tsx";
import { CrmCard, CrmCardSkeleton } from "./crm-card.tsx";
import { type CrmEntry, crmEntryOf, crmFigures, isChannel } from "./crm-entry.ts";
import { FigureRow } from "./figure-row.tsx";
import { useCrmIntegrations } from "./queries.ts";
import { sampleCrmIntegrations } from "./samples.ts";
import { SiteChatsRow } from "./site-chats-row.tsx";
import { ConnectedCrm } from "./systems/connected-crm.tsx";
import { CrmLead } from "./systems/crm-lead.tsx";
import { useCrm } from "./systems/crm-queries.ts";
import { useCrmReturn } from "./systems/use-crm-return.ts";

const SignInDialog = lazy(() => import("./systems/sign-in-dialog.tsx"));
const TwinChoices = lazy(() => import("./systems/twin-choices.tsx"));

const NO_INTEGRATIONS: typeof sampleCrmIntegrations = [];

const CARDS_WITHOUT_SEARCH = 10;

export default function CrmPage() {
  const id = useId();
  const query = useCrmIntegrations();
  const crm = useCrm();
  const connections = crm.data?.connections ?? [];
  const shown = shownOrSample(query, sampleCrmIntegrations, isEmptyList);
  // A connected CRM is real, so no samples are shown beside it.
  const isSample = shown.isSample && connections.length === 0;
  const data = shown.isSample && !isSample ? NO_INTEGRATIONS : shown.data;
  const widgets = useQuery(queryOf(widgetApi.list));
  // Beside samples the owner's own widgets would look invented.
  const chats = isSample ? [] : (widgets.data ?? []).filter(({ sites }) => sites.length > 0);
  const [signingIn, setSigningIn] = useState<CrmSystem | null>(null);
  const { ending, refused, forget } = useCrmReturn();
  const opened = signingIn ?? refused?.system ?? null;
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
  const loading = entries === undefined || crm.isPending;
  const systems = found?.filter((entry) => !isChannel(entry)) ?? [];
  const channels = found?.filter(isChannel) ?? [];
  const card = (entry: CrmEntry, at: number) => <CrmCard key={entry.id || at} entry={entry} isSample={isSample} />;
  const living = connections.filter(({ state }) => state === "connected").length;
  return (
    <Page title="CRM интеграция" description="Синхронизация с CRM системами" className="flex flex-col gap-8">
      {isSample && (
        <SampleNotice>
          {query.isError ? "Системы не загрузились." : "Подключённых систем пока нет: так они будут выглядеть."}
        </SampleNotice>
      )}
      <FigureRow figures={{ ...figures, connected: figures.connected + living }} loading={loading} />
      <PaperSection
        // The section's position depends on its content. A new key mounts it there, so that nothing else on the page jumps.
        key={isSample ? "samples" : "own"}
        id={id}
        title="Подключенные системы"
        action={
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
            {loading && <LoadingStatus>Загружаем интеграции...</LoadingStatus>}
            <EditorButton asChild size="sm" variant="primary">
              <Link href={paths.addIntegration}>+ Добавить интеграцию</Link>
            </EditorButton>
          </div>
        }
      >
        {ending && <LoadingStatus className="min-h-10">Завершаем подключение CRM...</LoadingStatus>}
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
        {loading && (
          <ul className="@container flex flex-col gap-3">
            {[0, 1, 2].map((card) => (
              <CrmCardSkeleton key={card} />
            ))}
          </ul>
        )}
        {!loading && (
          <div className="flex flex-col gap-6">
            {(connections.length + systems.length > 0 || wanted === "") && (
              <CrmGroup title="CRM-системы">
                {connections.length + systems.length === 0 && (
                  <li className="text-md text-muted">Пока ни&nbsp;одной. Выберите свою ниже.</li>
                )}
                {connections.map((connection) => (
                  <ConnectedCrm
                    key={connection.id}
                    connection={connection}
                    onSignIn={() => setSigningIn(connection.system)}
                  />
                ))}
                {systems.map(card)}
              </CrmGroup>
            )}
            {(channels.length > 0 || (wanted === "" && chats.length > 0)) && (
              <CrmGroup title="Каналы, из которых приходят лиды">
                {channels.map(card)}
                {wanted === "" && chats.length > 0 && <SiteChatsRow chats={chats} hasCrm={connections.length > 0} />}
              </CrmGroup>
            )}
          </div>
        )}
        {!isSample && entries?.some(isChannel) && (
          <p className="mt-3 text-muted text-sm">
            Лиды и&nbsp;сделки — оценка: 10 и&nbsp;5 на&nbsp;каждые 100&nbsp;сообщений.
          </p>
        )}
        {wanted !== "" && found?.length === 0 && (
          <Card>
            <EmptyState
              title="Ничего не найдено"
              action={<Button onClick={() => setSearch({}, { replace: true })}>Сбросить поиск</Button>}
            />
          </Card>
        )}
      </PaperSection>
      {crm.data && connections.length > 0 && (
        <Suspense
          fallback={
            <Card>
              <LoadingStatus className="min-h-56">Загружаем CRM...</LoadingStatus>
            </Card>
          }
        >
          <TwinChoices overview={crm.data} />
        </Suspense>
      )}
      {crm.error && crm.data === undefined && (
        <ErrorCard title="Не удалось загрузить CRM" error={crm.error} onRetry={() => void crm.refetch()} />
      )}
      {/* A press before the answer is kept: the dialog opens once it is there. */}
      <AvailableSystems onSignIn={crm.data || crm.isPending ? setSigningIn : undefined} />
      {crm.data ? <CrmLead overview={crm.data} /> : crm.isPending && <Skeleton className="h-64" />}
      <Suspense>
        {opened !== null && crm.data && (
          <SignInDialog
            system={opened}
            overview={crm.data}
            refused={refused}
            onClose={() => {
              setSigningIn(null);
              forget();
            }}
          />
        )}
      </Suspense>
    </Page>
  );
}

function CrmGroup({ title, children }: { title: string; children?: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mb-3 text-base">
        {title}
      </h3>
      <ul className="@container flex flex-col gap-3">{children}</ul>
    </section>
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
