import { clsx } from "clsx";
import { Trash2 } from "lucide-react";
import { lazy, type ReactNode, Suspense, useId, useState } from "react";
import type { KnowledgeDocument } from "#contract/knowledge/knowledge.ts";
import type { Twin } from "#contract/twins.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { documentStatusName, documentTypeName } from "./document-names.ts";
import { isReadAgain, ReadAgainButton } from "./read-again.tsx";

const DocumentWindows = lazy(() => import("./document-windows.tsx"));

interface DocumentListProps {
  documents: readonly KnowledgeDocument[];
  twins: readonly Twin[];
  /** Whether the rows say whose they are. */
  withTwin: boolean;
  /** How many answers stood on a document, in a column of its own; without it the list fits a side panel, and each row names its status. */
  answersOf?: (document: KnowledgeDocument) => ReactNode;
  /** The document that is open. */
  shown: KnowledgeDocument | undefined;
  onShow: (document: KnowledgeDocument | undefined) => void;
}

/** Documents, each of which is opened, edited and deleted here, wherever they are listed. */
export function DocumentList({ documents, twins, withTwin, answersOf, shown, onShow }: DocumentListProps) {
  const [doomed, setDoomed] = useState<KnowledgeDocument>();
  return (
    <>
      {documents.length > 0 && (
        <ul className="divide-y border-y">
          {documents.map((document) => (
            <DocumentRow
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

function DocumentRow({ document, twin, withTwin, answers, onOpen, onRemove }: DocumentRowProps) {
  const { name, type, status, sourceUrl } = document;
  const readOnly = useReadOnly(twin);
  const id = useId();
  const wide = answers !== undefined;
  const processed = !status || status === "processed";
  const about = [
    documentTypeName(type),
    ...(sourceUrl ? [new URL(sourceUrl).host] : []),
    ...(withTwin && twin ? [twin.name] : []),
  ].join(" · ");
  return (
    <li
      className={clsx(
        "group/row relative grid grid-cols-[minmax(0,1fr)_2.5rem] items-center gap-x-4 py-1 max-md:py-2",
        wide && "px-2 hover:bg-hover md:min-h-11 md:grid-cols-[minmax(0,1fr)_18rem_2.5rem]",
      )}
    >
      <div className={clsx("flex min-w-0 gap-x-3", wide ? "items-baseline max-md:flex-wrap" : "flex-col py-1")}>
        <button
          type="button"
          aria-describedby={id}
          onClick={onOpen}
          className={clsx(
            // The whole row is its target.
            "min-w-0 rounded-sm text-start font-medium text-md after:absolute after:inset-0 hover:text-primary-text hover:underline",
            wide ? "max-md:line-clamp-2 md:truncate" : "line-clamp-2 [overflow-wrap:anywhere]",
          )}
        >
          {name}
        </button>
        <p
          id={id}
          className={clsx(
            "flex min-w-0 items-center gap-x-2 text-sm text-subtle",
            wide ? "shrink-0 max-md:w-full md:max-w-[50%]" : "mt-1 flex-wrap gap-y-1",
          )}
        >
          <span className={clsx("min-w-0", wide ? "truncate" : "[overflow-wrap:anywhere]")}>{about}</span>
          {/* What is as it should be is not seen; the exception is. */}
          {!wide && processed && <span className="sr-only">{documentStatusName(status)}</span>}
          {!processed && <Badge tone={status === "failed" ? "danger" : "neutral"}>{documentStatusName(status)}</Badge>}
        </p>
        {isReadAgain(document) && <ReadAgainButton document={document} whyNot={readOnly} inRow />}
      </div>
      <Button
        variant="ghost"
        size="icon"
        className="relative z-1 md:order-last pointer-fine:opacity-0 pointer-fine:group-focus-within/row:opacity-100 pointer-fine:group-hover/row:opacity-100"
        aria-label={`Удалить документ «${name}»`}
        whyNot={readOnly}
        onClick={onRemove}
      >
        <Trash2 aria-hidden className="icon text-muted" />
      </Button>
      {wide && (
        <p className="min-w-0 text-muted text-sm max-md:has-data-none:hidden max-md:col-span-2">
          <span className="md:sr-only">Ответы за 30 дней: </span>
          {answers}
        </p>
      )}
    </li>
  );
}
