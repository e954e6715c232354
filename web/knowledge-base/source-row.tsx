import { clsx } from "clsx";
import { ChevronDown, MessagesSquare, RotateCw } from "lucide-react";
import { type CSSProperties, lazy, Suspense, useState } from "react";
import { useLocation } from "wouter";
import { type KnowledgeSource, knowledgeBaseApi } from "#contract/knowledge/knowledge-base.ts";
import { formatMoment, formatNumber, formatShortDate } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { useReimport } from "#web/parts/reimport/use-reimport.ts";
import { paths } from "#web/paths.ts";
import { useWhyNot } from "#web/session/read-only.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Tooltip } from "#web/ui/overlays/tooltip.tsx";
import { hasGlyph, PlatformIcon } from "#web/ui/platform-icon.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { platformTitle } from "./platform-badge.tsx";

const SourceContents = lazy(() =>
  import("./source-contents.tsx").then(({ SourceContents }) => ({ default: SourceContents })),
);

/** Of a row and of the names above the columns: source, platform, messages, import and state where they differ in it, acts. */
export const columnsOf = (differ: Differing): CSSProperties & Record<"--columns", string> => ({
  "--columns": `minmax(0,1fr) 8rem 6rem ${differ.dates ? "9rem " : ""}${differ.states ? "6.5rem " : ""}4rem`,
});

/** In what the sources of a list differ: where they do not it is said above the list, and in each row only heard. */
export interface Differing {
  states: boolean;
  dates: boolean;
}

export const SOURCE_GRID = "items-center gap-x-3 px-2 lg:grid lg:grid-cols-(--columns)";

interface SourceRowProps {
  source: KnowledgeSource;
  differ: Differing;
}

/** Columns at a desk; where it is narrow a picture says the platform, and what is known of the source stands under its name. */
export function SourceRow({ source, differ }: SourceRowProps) {
  const { name, platform, status, digitalTwinName, messagesCount, lastImport } = source;
  const [open, setOpen] = useState(false);
  const active = status === "active";
  const obstacle = source.reimport?.obstacle ?? null;
  const counted = plural(messagesCount, ["сообщение", "сообщения", "сообщений"]);
  return (
    <li>
      <div className={clsx(SOURCE_GRID, "group/row relative flex min-h-11 flex-wrap py-1 hover:bg-hover")}>
        <span className="lg:hidden">
          <SourceIcon platform={platform} />
        </span>
        <div className="min-w-0 flex-1 lg:contents">
          <h3 title={name} className="truncate font-medium text-md">
            {name}
          </h3>
          <dl className="flex flex-wrap gap-x-3 text-muted text-sm lg:contents">
            {/* The heading over the rows shows it. */}
            <div className="sr-only">
              <dt>Двойник</dt>
              <dd>{digitalTwinName}</dd>
            </div>
            {/* Where it is narrow, the picture says it. */}
            <div className="truncate max-lg:sr-only">
              <dt className="sr-only">Платформа</dt>
              <dd>{platformTitle(platform)}</dd>
            </div>
            <div className="lg:text-end">
              <dt className="sr-only">Сообщений</dt>
              <dd className="tabular-nums">
                {formatNumber(messagesCount)}
                {/* The head of the column says of what. */}
                <span className="lg:sr-only">{counted.slice(formatNumber(messagesCount).length)}</span>
              </dd>
            </div>
            <div className={differ.dates ? "lg:text-end" : "sr-only"}>
              <dt className="sr-only">Последний импорт</dt>
              <dd className="tabular-nums">
                <span aria-hidden className="lg:hidden">
                  импорт:{" "}
                </span>
                {lastImport ? (
                  <time dateTime={lastImport} title={formatMoment(lastImport)}>
                    {formatShortDate(lastImport)}
                  </time>
                ) : (
                  "Никогда"
                )}
              </dd>
            </div>
          </dl>
        </div>
        {/* What is as it should be is said quietly. */}
        <div className={clsx(!differ.states && "lg:sr-only")}>
          {active ? <span className="text-sm text-subtle max-lg:sr-only">Активен</span> : <Badge>Неактивен</Badge>}
        </div>
        <div className="ms-auto flex items-center">
          <ReimportButton source={source} />
          <Tooltip label="Состав">
            <Button
              size="sm"
              variant="ghost"
              // The whole row is its target.
              className={clsx(square, "after:absolute after:inset-0")}
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
          {obstacle !== null && <p className="mb-3 text-muted text-sm">{obstacle}</p>}
          <Suspense fallback={<LoadingStatus className="min-h-24">Загружаем состав источника...</LoadingStatus>}>
            <SourceContents source={source} />
          </Suspense>
        </div>
      )}
    </li>
  );
}

/** A platform without a picture of its own, as a pasted chat, has that of conversations. */
function SourceIcon({ platform }: { platform: string }) {
  return hasGlyph(platform) ? (
    <PlatformIcon platform={platform} className="icon text-muted" />
  ) : (
    <MessagesSquare aria-hidden className="icon text-muted" />
  );
}

/** Of an act that is an icon. */
const square = "w-8 px-0! pointer-coarse:w-(--control-h)";

/** Reads an account again; a file and a pasted conversation do not change by themselves, and it leads to where their newer part is given. */
function ReimportButton({
  source: { id, name, status, kind, digitalTwinId, reimport: state },
}: {
  source: KnowledgeSource;
}) {
  const [, go] = useLocation();
  const reimport = useReimport();
  const mayNot = useWhyNot(knowledgeBaseApi.reimport);
  const reading = reimport.isPending || state?.running === true;
  const obstacle = state?.obstacle ?? null;
  const newer = obstacle !== null && (kind === "export" || kind === "paste") ? newerPartOf(kind, digitalTwinId) : null;
  const whyNot = mayNot ?? (newer ? null : obstacle);
  const button = (
    <Button
      size="sm"
      variant="ghost"
      className={clsx(
        square,
        "relative z-1 pointer-fine:opacity-0 pointer-fine:group-focus-within/row:opacity-100 pointer-fine:group-hover/row:opacity-100",
        reading && "opacity-100!",
      )}
      whyNot={whyNot}
      aria-label={`Переимпорт: ${name}`}
      disabled={status !== "active"}
      busy={reading}
      onClick={() => (newer ? go(newer.path) : reimport.mutate(id))}
    >
      {!reading && <RotateCw aria-hidden className="icon" />}
    </Button>
  );
  // One that refuses tells its reason by itself.
  return whyNot ? button : <Tooltip label={newer ? `Переимпорт: ${newer.name}` : "Переимпорт"}>{button}</Tooltip>;
}

function newerPartOf(kind: "export" | "paste", twinId: string | null | undefined) {
  const search = new URLSearchParams({ tab: "dialogues" });
  if (kind === "export") search.set("from", "file");
  if (twinId) search.set("twin", twinId);
  return { path: `${paths.trainAi}?${search}`, name: kind === "export" ? "новая выгрузка" : "дополнить" };
}
