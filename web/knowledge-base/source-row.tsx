import { clsx } from "clsx";
import { ChevronDown, RotateCw } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Link } from "wouter";
import { type KnowledgeSource, knowledgeBaseApi } from "#contract/knowledge/knowledge-base.ts";
import { formatMoment, formatNumber, formatShortDate, formatTime } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { useStartReimport } from "#web/parts/reimport/use-start-reimport.ts";
import { paths } from "#web/paths.ts";
import { useWhyNot } from "#web/session/read-only.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Tooltip } from "#web/ui/overlays/tooltip.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { PlatformBadge } from "./platform-badge.tsx";

const SourceContents = lazy(() =>
  import("./source-contents.tsx").then(({ SourceContents }) => ({ default: SourceContents })),
);

/** Grid columns of a row and its headings: source, platform, messages, import, state, actions. */
export const SOURCE_GRID =
  "items-center gap-x-4 px-2 xl:grid xl:grid-cols-[minmax(0,1fr)_8.5rem_5.5rem_8.5rem_6.5rem_11.5rem]";

interface SourceRowProps {
  source: KnowledgeSource;
  /** `h3` below the heading of a group. */
  heading: "h2" | "h3";
}

/**
 * All specified facts of a source are visible at any width: columns at desktop width, lines below the name on narrow screens. On a phone
 * the actions are at the ends of the two lines.
 */
export function SourceRow({ source, heading: Heading }: SourceRowProps) {
  const { name, platform, status, digitalTwinName, messagesCount, lastImport } = source;
  const [open, setOpen] = useState(false);
  const active = status === "active";
  const counted = plural(messagesCount, ["сообщение", "сообщения", "сообщений"]);
  return (
    <li>
      <div
        className={clsx(
          SOURCE_GRID,
          "gap-y-1 py-2.5 max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto_auto] max-md:gap-x-2 md:flex md:flex-wrap md:gap-y-2 xl:py-2",
        )}
      >
        <div className="min-w-0 max-xl:flex-1">
          <Heading className="text-base [overflow-wrap:anywhere]">{name}</Heading>
          <p className="text-sm text-subtle [overflow-wrap:anywhere]">
            <span className="sr-only">Двойник: </span>
            <span>{digitalTwinName}</span>
          </p>
        </div>
        {/* Beside the name on narrow screens. */}
        <Badge tone={active ? "success" : "neutral"} className="max-xl:self-start xl:order-1 xl:justify-self-start">
          {active ? "Активен" : "Неактивен"}
        </Badge>
        <dl className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 text-sm max-md:order-1 max-md:gap-x-2 xl:contents">
          <div className="min-w-0">
            <dt className="sr-only">Платформа</dt>
            <dd>
              <PlatformBadge platform={platform} />
            </dd>
          </div>
          <div className="text-muted xl:text-end">
            <dt className="sr-only">Сообщений</dt>
            <dd className="tabular-nums">
              {formatNumber(messagesCount)}
              {/* The head of the column says of what. */}
              <span className="xl:sr-only">{counted.slice(formatNumber(messagesCount).length)}</span>
            </dd>
          </div>
          <div className="whitespace-nowrap text-subtle tabular-nums">
            <dt className="inline max-md:sr-only xl:sr-only">Последний импорт: </dt>
            <dd className="inline">
              <span aria-hidden className="md:hidden">
                Импорт:{" "}
              </span>
              {lastImport ? (
                <time dateTime={lastImport} title={formatMoment(lastImport)}>
                  {formatShortDate(lastImport)}, {formatTime(lastImport)}
                </time>
              ) : (
                "Никогда"
              )}
            </dd>
          </div>
        </dl>
        <div className="flex items-center justify-end gap-1 max-md:contents md:max-xl:w-full xl:order-2">
          <ReimportButton source={source} />
          <Tooltip label="Состав">
            <Button
              size="sm"
              variant="ghost"
              className="w-8 px-0! pointer-coarse:w-(--control-h)"
              aria-expanded={open}
              aria-label={`Состав: ${name}`}
              onClick={() => setOpen(!open)}
            >
              <ChevronDown aria-hidden className={clsx("icon transition-transform", open && "rotate-180")} />
            </Button>
          </Tooltip>
        </div>
      </div>
      {open && (
        <div className="border-t px-2 py-4">
          <NewerPart source={source} />
          <Suspense fallback={<LoadingStatus className="min-h-24">Загружаем состав источника...</LoadingStatus>}>
            <SourceContents source={source} />
          </Suspense>
        </div>
      )}
    </li>
  );
}

/** Offers to add newer messages where the source cannot be imported again. */
function NewerPart({ source: { kind, digitalTwinId, reimport } }: { source: KnowledgeSource }) {
  const obstacle = reimport?.obstacle;
  if (!obstacle) return null;
  const search = new URLSearchParams({ tab: "dialogues" });
  if (kind === "export") search.set("from", "file");
  if (digitalTwinId) search.set("twin", digitalTwinId);
  return (
    <p className="mb-3 text-muted text-sm">
      {obstacle}{" "}
      {(kind === "export" || kind === "paste") && (
        <Link
          href={`${paths.trainAi}?${search}`}
          className="font-medium text-primary-text underline underline-offset-4"
        >
          {kind === "export" ? "Загрузить новую выгрузку" : "Дополнить переписку"}
        </Link>
      )}
    </p>
  );
}

/** The button stays enabled: the server rejects sources that cannot be imported again, and a toast shows its reason. */
function ReimportButton({ source: { id, name, status, reimport: state } }: { source: KnowledgeSource }) {
  const reimport = useStartReimport();
  const mayNot = useWhyNot(knowledgeBaseApi.reimport);
  const reading = reimport.isPending || state?.running === true;
  return (
    <Button
      size="sm"
      variant="ghost"
      whyNot={mayNot}
      className="max-md:order-1 max-md:col-span-2 max-md:self-end"
      aria-label={`Переимпорт: ${name}`}
      disabled={status !== "active"}
      busy={reading}
      onClick={() => reimport.mutate(id)}
    >
      {!reading && <RotateCw aria-hidden className="icon max-md:hidden" />}
      Переимпорт
    </Button>
  );
}
