import { clsx } from "clsx";
import { ChevronRight, Trash2 } from "lucide-react";
import { type CSSProperties, lazy, type ReactNode, Suspense, useId, useState } from "react";
import type { KnowledgeDocument } from "#contract/knowledge/knowledge.ts";
import type { Twin } from "#contract/twins.ts";
import { formatMoment, formatShortDate } from "#web/i18n/format.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { documentStatusName, documentTypeName } from "./document-names.ts";
import { isReadAgain, ReadAgainButton } from "./read-again.tsx";

const DocumentWindows = lazy(() => import("./document-windows.tsx"));

interface DocumentListProps {
  documents: readonly KnowledgeDocument[];
  twins: readonly Twin[];
  withTwin: boolean;
  /** Shows the number of answers per document in a column. When absent, the list fits a side panel and each row shows its status. */
  answersOf?: (document: KnowledgeDocument) => ReactNode;
  className?: string;
  shown: KnowledgeDocument | undefined;
  onShow: (document: KnowledgeDocument | undefined) => void;
}

export function DocumentList({ documents, twins, withTwin, answersOf, className, shown, onShow }: DocumentListProps) {
  const [doomed, setDoomed] = useState<KnowledgeDocument>();
  const Row = answersOf ? DocumentLine : DocumentRow;
  return (
    <>
      {documents.length > 0 && (
        <ul className={clsx("divide-y border-y", className)}>
          {documents.map((document) => (
            <Row
              key={document.id}
              document={document}
              twin={twins.find(({ id }) => id === document.digitalTwinId)}
              withTwin={withTwin}
              answers={answersOf?.(document)}
              onOpen={() => onShow(document)}
              onRemove={() => setDoomed(document)}
            />
          ))}
        </ul>
      )}
      {(shown || doomed) && (
        <Suspense>
          <DocumentWindows
            shown={shown}
            onHide={() => onShow(undefined)}
            doomed={doomed}
            onSettled={() => setDoomed(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}

interface DocumentRowProps {
  document: KnowledgeDocument;
  twin: Twin | undefined;
  withTwin: boolean;
  answers: ReactNode;
  onOpen: () => void;
  onRemove: () => void;
}

/** Grid columns of rows and their headings: document, type, twin, day, answers, actions. */
export const documentColumns = (withTwin: boolean): CSSProperties & Record<"--columns", string> => ({
  "--columns": `minmax(0,2.62fr) minmax(0,1.47fr) ${withTwin ? "minmax(0,2.15fr) " : ""}4.75rem minmax(0,2.52fr) 3.75rem`,
});

/** A row in columns at desktop width, with its cells below each other on narrow screens. */
function DocumentLine({ document, twin, withTwin, answers, onOpen, onRemove }: DocumentRowProps) {
  const { name, type, status, sourceUrl, createdAt } = document;
  const readOnly = useReadOnly(twin);
  const id = useId();
  const processed = !status || status === "processed";
  return (
    <li
      style={documentColumns(withTwin)}
      className="group/row relative grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 px-2 py-1 hover:bg-hover lg:grid-cols-(--columns)"
    >
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <button
          type="button"
          aria-describedby={id}
          onClick={onOpen}
          className="line-clamp-2 min-w-0 rounded-sm py-0.5 text-start font-medium text-md after:absolute after:inset-0 hover:text-primary-text"
        >
          {name}
        </button>
        {/* A normal status is shown less prominently than one that needs attention. */}
        {!processed && <Badge tone={status === "failed" ? "danger" : "neutral"}>{documentStatusName(status)}</Badge>}
        {isReadAgain(document) && <ReadAgainButton document={document} whyNot={readOnly} inRow />}
      </div>
      <div className="flex items-center justify-end lg:order-last">
        <RemoveButton name={name} whyNot={readOnly} onRemove={onRemove} />
        <ChevronRight aria-hidden className="icon text-subtle" />
      </div>
      <p id={id} className="flex min-w-0 flex-wrap gap-x-3 text-muted text-sm max-lg:col-span-2 lg:contents">
        {/* The type is the first part to be hidden when a line is short. */}
        <span className={clsx("min-w-0 truncate", withTwin && "max-sm:sr-only")}>
          {[documentTypeName(type), ...(sourceUrl ? [new URL(sourceUrl).host] : [])].join(" · ")}
        </span>
        {withTwin && (
          <span title={twin?.name} className="min-w-0 truncate">
            {twin?.name}
          </span>
        )}
        <time dateTime={createdAt} title={formatMoment(createdAt)} className="tabular-nums">
          {formatShortDate(createdAt)}
        </time>
      </p>
      <p className="min-w-0 text-muted text-sm max-lg:col-span-2 max-md:has-data-none:hidden">
        <span className="sr-only">Ответы за 30 дней: </span>
        {answers}
      </p>
    </li>
  );
}

/** A row of the side panel, on two lines, with the status. The twin stands there only where its name fits. */
function DocumentRow({ document, twin, withTwin, onOpen, onRemove }: DocumentRowProps) {
  const { name, type, status, sourceUrl } = document;
  const readOnly = useReadOnly(twin);
  const id = useId();
  const whose = [...(withTwin && twin ? [twin.name] : []), ...(sourceUrl ? [new URL(sourceUrl).host] : [])].join(" · ");
  return (
    <li
      title={whose || undefined}
      className="@container group/row relative grid grid-cols-[minmax(0,1fr)_2.5rem] items-center gap-x-4 py-1 max-md:py-2"
    >
      <div className="flex min-w-0 flex-col gap-x-3 py-1">
        <button
          type="button"
          aria-describedby={id}
          onClick={onOpen}
          className="min-w-0 rounded-sm text-start font-medium text-md [overflow-wrap:anywhere] after:absolute after:inset-0 hover:text-primary-text hover:underline"
        >
          {name}
        </button>
        <p id={id} className="mt-0.5 flex min-w-0 items-center gap-x-2 text-sm text-subtle">
          <span className="shrink-0">{documentTypeName(type)}</span>
          <Badge tone={status === "failed" ? "danger" : "neutral"}>{documentStatusName(status)}</Badge>
          {whose && (
            // Beside the type and the status a narrow panel leaves two letters of it.
            <span className="sr-only">{whose}</span>
          )}
        </p>
        {isReadAgain(document) && <ReadAgainButton document={document} whyNot={readOnly} inRow />}
      </div>
      <RemoveButton name={name} whyNot={readOnly} onRemove={onRemove} />
    </li>
  );
}

interface RemoveProps {
  name: string;
  whyNot: string | null;
  onRemove: () => void;
}

const RemoveButton = ({ name, whyNot, onRemove }: RemoveProps) => (
  <Button
    variant="ghost"
    size="icon"
    className="relative z-1 pointer-fine:opacity-0 pointer-fine:group-focus-within/row:opacity-100 pointer-fine:group-hover/row:opacity-100"
    aria-label={`Удалить документ «${name}»`}
    whyNot={whyNot}
    onClick={onRemove}
  >
    <Trash2 aria-hidden className="icon text-muted" />
  </Button>
);
