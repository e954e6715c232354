import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { MAX_SITE_PAGES, MAX_WEBSITES, type Website, websitesApi } from "#contract/knowledge/websites.ts";
import { queryOf } from "#web/api/query.ts";
import { useWhyNot } from "#web/session/read-only.ts";
import { Button } from "#web/ui/button.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { ExampleRow } from "../example-row.tsx";
import { useReadingEnds } from "./reading-ends.ts";
import { SiteRow } from "./site-row.tsx";

const SiteDialog = lazy(() => import("./site-dialog.tsx"));

const POLL_MS = 1500;

const isReading = (sites: readonly Website[] | undefined) => sites?.some(({ state }) => state === "reading") ?? false;

export default function SitesTab() {
  const { data, error, refetch } = useQuery({
    ...queryOf(websitesApi.list),
    refetchInterval: ({ state }) => (isReading(state.data) ? POLL_MS : false),
  });
  useReadingEnds(data);
  const [adding, setAdding] = useState(false);
  const mayNot = useWhyNot(websitesApi.create);
  const add = (variant: "primary" | "outline") => (
    <Button
      variant={variant}
      size={variant === "primary" ? "md" : "sm"}
      whyNot={mayNot ?? (data && data.length >= MAX_WEBSITES ? `Не больше ${MAX_WEBSITES} сайтов` : null)}
      onClick={() => setAdding(true)}
    >
      Прочитать сайт
    </Button>
  );
  if (error && !data) {
    return <ErrorCard title="Не удалось загрузить сайты" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <LoadingStatus className="min-h-60">Загружаем сайты...</LoadingStatus>;
  return (
    <>
      {data.length === 0 ? (
        <>
          <EmptyState
            open
            title="Сайтов пока нет"
            description={`Укажите адрес своего сайта: двойник прочитает до ${MAX_SITE_PAGES} страниц и будет отвечать по ним со ссылкой на источник.`}
            action={add("primary")}
          />
          <ExampleRow title="example.ru" detail="Товары и услуги" use="42 страницы, прочитан сегодня" />
        </>
      ) : (
        <PaperSection id="sites" title="Сайты" action={add("outline")}>
          <ul className="divide-y border-y">
            {data.map((site) => (
              <SiteRow key={site.id} site={site} />
            ))}
          </ul>
        </PaperSection>
      )}
      <Suspense>{adding && <SiteDialog onClose={() => setAdding(false)} />}</Suspense>
    </>
  );
}
