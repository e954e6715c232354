import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { type Website, type WebsitePage, websitesApi } from "#contract/knowledge/websites.ts";
import { queryOf } from "#web/api/query.ts";
import { paths } from "#web/paths.ts";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";

const POLL_MS = 3000;

export default function SitePages({ site }: { site: Website }) {
  const { data, error, refetch } = useQuery({
    ...queryOf(websitesApi.pages, { params: { id: site.id } }),
    refetchInterval: site.state === "reading" ? POLL_MS : false,
  });
  if (error && !data) {
    return <ErrorCard title="Не удалось загрузить страницы" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) return <LoadingStatus className="min-h-24">Загружаем страницы...</LoadingStatus>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <ul tabIndex={0} aria-label="Страницы сайта" className="max-h-80 divide-y overflow-y-auto rounded-lg border">
      {data.map((page) => (
        <li key={page.url} className="flex flex-wrap items-baseline gap-x-4 px-4 py-2 text-md">
          <span className="min-w-0 flex-1 basis-60 [overflow-wrap:anywhere]">
            {page.documentId === null ? (
              <span className="text-muted">{pathOf(page.url)}</span>
            ) : (
              <Link
                href={`${paths.knowledge}?tab=documents&document=${encodeURIComponent(page.documentId)}`}
                className="text-primary-text underline-offset-4 hover:underline"
              >
                {pathOf(page.url)}
              </Link>
            )}
          </span>
          <span className="text-sm text-subtle">{toldOf(page)}</span>
        </li>
      ))}
    </ul>
  );
}

const states: Record<WebsitePage["state"], string> = {
  waiting: "Ждёт очереди",
  document: "Документ",
  left: "Не взята",
  failed: "Не прочитана",
};

function toldOf({ state, reason, change, documentId }: WebsitePage): string {
  if (change === "gone") return `${reason}. Документ удалён`;
  if (state !== "document") return reason ?? states[state];
  if (documentId === null) return "Вы удалили этот документ";
  return change === "changed" ? "Документ обновлён" : states.document;
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  try {
    return decodeURI(`${pathname}${search}`);
  } catch {
    return `${pathname}${search}`;
  }
}
