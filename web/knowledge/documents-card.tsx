import { FileText, Trash2 } from "lucide-react";
import { lazy, Suspense, useId, useState } from "react";
import type { KnowledgeDocument } from "#contract/knowledge/knowledge.ts";
import type { Twin } from "#contract/twins.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { documentStatusName, documentTypeName } from "#web/parts/documents/document-names.ts";
import { useDocuments } from "#web/parts/documents/queries.ts";
import { whyReadOnly } from "#web/session/read-only.ts";
import { useSession } from "#web/session/session.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";

const DocumentWindows = lazy(() => import("#web/parts/documents/document-windows.tsx"));

/** A list that is longer gets a search box. */
const SEARCHABLE_FROM = 10;

export function DocumentsCard({ twins }: { twins: Twin[] }) {
  const documents = useDocuments();
  if (documents.isError && !documents.data) {
    return (
      <ErrorCard title="Не удалось загрузить документы" error={documents.error} onRetry={() => documents.refetch()} />
    );
  }
  const count = documents.data?.length ?? 0;
  return (
    <Card aria-labelledby="documents">
      <CardHeader
        id="documents"
        title="Загруженные документы"
        action={count > 0 && <span className="text-md text-subtle tabular-nums">{formatNumber(count)}</span>}
      />
      {documents.data === undefined ? (
        <CardBody className="flex flex-col gap-4">
          {["first", "second", "third"].map((row) => (
            <Skeleton key={row} className="h-11 w-full" />
          ))}
        </CardBody>
      ) : count === 0 ? (
        <EmptyState icon={FileText} title="Документы пока не загружены" className="py-8" />
      ) : (
        <DocumentList documents={documents.data} twins={twins} />
      )}
    </Card>
  );
}

function DocumentList({ documents, twins }: { documents: KnowledgeDocument[]; twins: Twin[] }) {
  const [search, setSearch] = useState("");
  const [opened, setOpened] = useState<KnowledgeDocument>();
  const [doomed, setDoomed] = useState<KnowledgeDocument>();
  const { user } = useSession();
  const wanted = search.trim().toLowerCase();
  const found = wanted ? documents.filter((document) => textOf(document).includes(wanted)) : documents;
  const twinName = (id: string) => (twins.length > 1 ? twins.find((twin) => twin.id === id)?.name : undefined);
  return (
    <>
      {documents.length > SEARCHABLE_FROM && (
        <div className="border-b p-3">
          <Input
            type="search"
            aria-label="Поиск по документам"
            placeholder="Название, тип или тег"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        </div>
      )}
      <ul className="max-h-88 divide-y overflow-y-auto">
        {found.map((document) => (
          <DocumentRow
            key={document.id}
            document={document}
            twinName={twinName(document.digitalTwinId)}
            onOpen={() => setOpened(document)}
            onRemove={() => setDoomed(document)}
            readOnly={
              user
                ? whyReadOnly(
                    user,
                    twins.find(({ id }) => id === document.digitalTwinId),
                  )
                : null
            }
          />
        ))}
      </ul>
      <p role="status" className={found.length === 0 ? "px-4 py-6 text-center text-md text-muted" : "sr-only"}>
        {found.length === 0 ? "По этому запросу документов нет" : wanted && `Найдено: ${found.length}`}
      </p>
      {(opened || doomed) && (
        <Suspense>
          <DocumentWindows
            shown={opened}
            onHide={() => setOpened(undefined)}
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
  twinName: string | undefined;
  onOpen: () => void;
  onRemove: () => void;
  /** Why it cannot be removed. */
  readOnly: string | null;
}

function DocumentRow({ document, twinName, onOpen, onRemove, readOnly }: DocumentRowProps) {
  const { name, type, status } = document;
  const about = useId();
  return (
    <li className="flex items-start gap-1 py-2 ps-4 pe-2 md:ps-5">
      <div className="min-w-0 flex-1 py-1">
        <button
          type="button"
          aria-describedby={about}
          onClick={onOpen}
          className="line-clamp-2 rounded-sm text-start font-medium text-md [overflow-wrap:anywhere] hover:text-primary-text hover:underline"
        >
          {name}
        </button>
        <p id={about} className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-subtle">
          <span>{documentTypeName(type)}</span>
          <Badge tone={!status || status === "processed" ? "success" : "neutral"}>{documentStatusName(status)}</Badge>
          {twinName && <span className="[overflow-wrap:anywhere]">{twinName}</span>}
        </p>
      </div>
      <Button
        variant="ghost"
        size="icon"
        aria-label={`Удалить документ «${name}»`}
        disabled={readOnly !== null}
        title={readOnly ?? undefined}
        onClick={onRemove}
      >
        <Trash2 aria-hidden className="icon text-muted" />
      </Button>
    </li>
  );
}

const textOf = ({ name, type, tags }: KnowledgeDocument) =>
  [name, documentTypeName(type), ...tags].join("\n").toLowerCase();
