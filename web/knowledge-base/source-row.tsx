import { RotateCw } from "lucide-react";
import { lazy, Suspense, useId, useState } from "react";
import { Link } from "wouter";
import { type KnowledgeSource, knowledgeBaseApi } from "#contract/knowledge/knowledge-base.ts";
import { formatMoment } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { useReimport } from "#web/parts/reimport/use-reimport.ts";
import { paths } from "#web/paths.ts";
import { EditorButton } from "#web/session/editor-button.tsx";
import { useWhyNot } from "#web/session/read-only.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { PlatformBadge } from "./platform-badge.tsx";

const SourceContents = lazy(() =>
  import("./source-contents.tsx").then(({ SourceContents }) => ({ default: SourceContents })),
);

export function SourceRow({ source }: { source: KnowledgeSource }) {
  const { name, platform, status, digitalTwinName, messagesCount, lastImport } = source;
  const reimport = useReimport();
  const mayNot = useWhyNot(knowledgeBaseApi.reimport);
  const [open, setOpen] = useState(false);
  const active = status === "active";
  const newer = newerWay(source);
  const obstacleId = useId();
  const obstacle = source.reimport?.obstacle ?? null;
  const reading = reimport.isPending || source.reimport?.running === true;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-4 md:px-5">
      <div className="min-w-0 flex-1 basis-72">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h2 className="min-w-0 text-base [overflow-wrap:anywhere]">{name}</h2>
          <PlatformBadge platform={platform} />
          <Badge tone={active ? "success" : "neutral"}>{active ? "Активен" : "Неактивен"}</Badge>
        </div>
        <dl className="mt-1.5 flex flex-wrap gap-x-4 gap-y-0.5 text-md text-muted [&>div]:min-w-0 [&>div]:[overflow-wrap:anywhere]">
          <div>
            <dt className="sr-only">Двойник</dt>
            <dd>{digitalTwinName}</dd>
          </div>
          <div>
            <dt className="sr-only">Сообщений</dt>
            <dd className="tabular-nums">{plural(messagesCount, ["сообщение", "сообщения", "сообщений"])}</dd>
          </div>
          <div className="flex flex-wrap gap-x-1">
            <dt>Последний импорт:</dt>
            <dd className="tabular-nums">
              {lastImport ? <time dateTime={lastImport}>{formatMoment(lastImport)}</time> : "Никогда"}
            </dd>
          </div>
        </dl>
      </div>
      <div className="flex flex-wrap gap-2">
        {newer && (
          <EditorButton asChild variant="ghost" size="sm" className="max-sm:-ms-3">
            <Link href={newer.href} aria-label={`${newer.label}: ${name}`}>
              {newer.label}
            </Link>
          </EditorButton>
        )}
        <Button
          size="sm"
          variant="ghost"
          aria-expanded={open}
          aria-label={`Состав: ${name}`}
          onClick={() => setOpen(!open)}
        >
          Состав
        </Button>
        <Button
          size="sm"
          whyNot={mayNot}
          aria-label={`Переимпорт: ${name}`}
          aria-describedby={obstacle === null ? undefined : obstacleId}
          disabled={!active || obstacle !== null}
          busy={reading}
          onClick={() => reimport.mutate(source.id)}
        >
          {!reading && <RotateCw aria-hidden className="icon" />}
          Переимпорт
        </Button>
      </div>
      {obstacle !== null && (
        <p id={obstacleId} className="basis-full text-sm text-subtle">
          {obstacle}
        </p>
      )}
      {open && (
        <div className="basis-full">
          <Suspense fallback={<LoadingStatus className="min-h-24">Загружаем состав источника...</LoadingStatus>}>
            <SourceContents source={source} />
          </Suspense>
        </div>
      )}
    </li>
  );
}

/** A file and a pasted conversation do not change by themselves, so new messages must be imported by hand. */
function newerWay({ kind, digitalTwinId }: KnowledgeSource) {
  if (kind !== "export" && kind !== "paste") return undefined;
  const search = new URLSearchParams({ tab: "dialogues" });
  if (kind === "export") search.set("from", "file");
  if (digitalTwinId) search.set("twin", digitalTwinId);
  return {
    href: `${paths.trainAi}?${search}`,
    label: kind === "export" ? "Новая выгрузка" : "Дополнить",
  };
}
