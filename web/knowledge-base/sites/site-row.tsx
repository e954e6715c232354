import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { type Website, websitesApi } from "#contract/knowledge/websites.ts";
import { call } from "#web/api/call.ts";
import { refreshed } from "#web/api/refresh.ts";
import { formatMoment, formatNumber } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { documentTypeName } from "#web/parts/documents/document-names.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { Badge, type BadgeTone } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";

const SitePages = lazy(() => import("./site-pages.tsx"));
const ConfirmDialog = lazy(() =>
  import("#web/ui/overlays/confirm-dialog.tsx").then((module) => ({ default: module.ConfirmDialog })),
);

const PAGES = ["страница", "страницы", "страниц"] as const;

const states: Record<Website["state"], { name: string; tone: BadgeTone }> = {
  reading: { name: "Читается", tone: "info" },
  ready: { name: "Прочитан", tone: "success" },
  cancelled: { name: "Остановлен", tone: "neutral" },
  failed: { name: "Не до конца", tone: "warning" },
};

const UNREAD = { name: "Не прочитан", tone: "danger" } as const;

/** Describes what the latest crawl changed; "" for the first one and when nothing changed. */
export function changeOf({ documents, added, changed, gone }: Website["pages"]): string {
  if (changed + gone === 0 && (added === 0 || added === documents)) return "";
  const told = [
    [added, "новых"],
    [changed, "изменилось"],
    [gone, "исчезло с сайта"],
  ] as const;
  return `По сравнению с прошлым разом: ${told
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${name} ${formatNumber(count)}`)
    .join(", ")}.`;
}

export function SiteRow({ site }: { site: Website }) {
  const { id, url, type, state, reason, pages, digitalTwinId, digitalTwinName, finishedAt } = site;
  const [open, setOpen] = useState(false);
  const [removing, setRemoving] = useState(false);
  const twin = useTwins().data?.find((one) => one.id === digitalTwinId);
  const mayNot = useReadOnly(twin);
  const { host } = new URL(url);
  const change = changeOf(pages);
  const now = state === "failed" && pages.documents === 0 ? UNREAD : states[state];
  const params = { id };
  const again = useMutation({
    mutationFn: () => call(websitesApi.read, { params }),
    onSuccess: refreshed,
    onError: toastError("Не удалось обновить сайт"),
  });
  const stop = useMutation({
    mutationFn: () => call(websitesApi.cancel, { params }),
    onSuccess: refreshed,
    onError: toastError("Не удалось остановить чтение"),
  });
  const remove = useMutation({
    mutationFn: () => call(websitesApi.remove, { params }),
    onSuccess: () => {
      setRemoving(false);
      toast({ title: "Сайт удалён", description: host });
      return refreshed();
    },
    onError: toastError("Ошибка удаления"),
  });
  const reading = state === "reading";
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-2 py-3">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className="font-medium text-md underline-offset-4 [overflow-wrap:anywhere] hover:underline"
          >
            {host}
          </a>
          <Badge tone={now.tone}>{now.name}</Badge>
        </p>
        <p className="mt-0.5 text-muted text-sm tabular-nums">
          {[
            documentTypeName(type),
            digitalTwinName,
            plural(pages.documents, PAGES),
            ...(finishedAt ? [formatMoment(finishedAt)] : []),
          ].join(" · ")}
        </p>
        {change !== "" && <p className="mt-0.5 text-sm tabular-nums">{change}</p>}
        {reason && <p className="mt-0.5 text-sm text-subtle">{reason}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          variant="ghost"
          aria-expanded={open}
          aria-label={`Страницы: ${host}`}
          onClick={() => setOpen(!open)}
        >
          Страницы
        </Button>
        {reading ? (
          <Button
            size="sm"
            aria-label={`Остановить: ${host}`}
            whyNot={mayNot}
            busy={stop.isPending}
            onClick={() => stop.mutate()}
          >
            Остановить
          </Button>
        ) : (
          <>
            <Button
              size="sm"
              aria-label={`Обновить: ${host}`}
              whyNot={mayNot}
              busy={again.isPending}
              onClick={() => again.mutate()}
            >
              Обновить
            </Button>
            <Button
              size="sm"
              variant="danger"
              aria-label={`Удалить: ${host}`}
              whyNot={mayNot}
              onClick={() => setRemoving(true)}
            >
              Удалить
            </Button>
          </>
        )}
      </div>
      {reading && (
        <div className="flex basis-full flex-col gap-1">
          <Progress label={`Чтение ${host}`} value={pages.read === 0 ? null : (pages.read / pages.found) * 100} />
          <p className="text-sm text-subtle tabular-nums">
            Прочитано {formatNumber(pages.read)} из {formatNumber(pages.found)} найденных. Не чаще страницы в секунду;
            этот экран можно закрыть.
          </p>
        </div>
      )}
      {open && (
        <div className="basis-full">
          <Suspense fallback={<LoadingStatus className="min-h-24">Загружаем страницы...</LoadingStatus>}>
            <SitePages site={site} />
          </Suspense>
        </div>
      )}
      <Suspense>
        {removing && (
          <ConfirmDialog
            open
            onOpenChange={setRemoving}
            title={`Удалить сайт «${host}»?`}
            description={`Исчезнут ${plural(pages.documents, ["документ", "документа", "документов"])} из него и всё, что двойник из них знает. Это действие нельзя отменить.`}
            confirmLabel="Удалить"
            destructive
            busy={remove.isPending}
            onConfirm={() => remove.mutate()}
          />
        )}
      </Suspense>
    </li>
  );
}
