import { FileText } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Link } from "wouter";
import type { KnowledgeDocument } from "#contract/knowledge/knowledge.ts";
import type { Twin } from "#contract/twins.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { useDocuments } from "#web/parts/documents/queries.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";

const DocumentList = lazy(() =>
  import("#web/parts/documents/document-list.tsx").then(({ DocumentList }) => ({ default: DocumentList })),
);

/** Documents that stand here; the others stand in «База знаний». */
const LATEST = 3;

/** What was uploaded last, before it what is not done with; the whole list is that of «База знаний». */
export function DocumentsCard({ twins }: { twins: Twin[] }) {
  const documents = useDocuments();
  const [shown, setShown] = useState<KnowledgeDocument>();
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
        <Coming />
      ) : count === 0 ? (
        <EmptyState icon={FileText} title="Документы пока не загружены" className="py-8" />
      ) : (
        <Suspense fallback={<Coming />}>
          <DocumentList
            documents={latestOf(documents.data)}
            twins={twins}
            withTwin={twins.length > 1}
            shown={shown}
            onShow={setShown}
          />
          <div className="border-t p-2 text-center">
            <Button asChild variant="ghost">
              <Link href={`${paths.knowledge}?tab=documents`}>Все в «Базе знаний»</Link>
            </Button>
          </div>
        </Suspense>
      )}
    </Card>
  );
}

/** Those that are read or wait for somebody's look come first; the server's order is the newest first. */
function latestOf(documents: readonly KnowledgeDocument[]): KnowledgeDocument[] {
  const done = ({ status }: KnowledgeDocument) => !status || status === "processed";
  return [...documents.filter((document) => !done(document)), ...documents.filter(done)].slice(0, LATEST);
}

function Coming() {
  return (
    <CardBody className="flex flex-col gap-4">
      {["first", "second", "third"].map((row) => (
        <Skeleton key={row} className="h-11 w-full" />
      ))}
    </CardBody>
  );
}
