import { useState } from "react";
import { Link } from "wouter";
import type { KnowledgeDocument } from "#contract/knowledge/knowledge.ts";
import type { Twin } from "#contract/twins.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { DocumentList } from "#web/parts/documents/document-list.tsx";
import { useDocuments } from "#web/parts/documents/queries.ts";
import { paths } from "#web/paths.ts";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { MoreButton } from "#web/ui/more-button.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";

const PAGE_SIZE = 50;

/** All documents, unfinished ones first. «База знаний» offers a search of them. */
export default function UploadedDocuments({ twins }: { twins: Twin[] }) {
  const documents = useDocuments();
  const [shown, setShown] = useState<KnowledgeDocument>();
  const [limit, setLimit] = useState(PAGE_SIZE);
  if (documents.isError && !documents.data) {
    return (
      <ErrorCard title="Не удалось загрузить документы" error={documents.error} onRetry={() => documents.refetch()} />
    );
  }
  const count = documents.data?.length ?? 0;
  return (
    <PaperSection
      id="documents"
      title="Загруженные документы"
      action={count > 0 && <span className="text-md text-subtle tabular-nums">{formatNumber(count)}</span>}
    >
      {documents.data === undefined ? (
        <Coming />
      ) : count === 0 ? (
        <EmptyState open title="Документы пока не загружены" />
      ) : (
        <>
          <DocumentList
            documents={inOrder(documents.data).slice(0, limit)}
            twins={twins}
            withTwin={twins.length > 1}
            shown={shown}
            onShow={setShown}
          />
          {count > limit && (
            <div className="p-2 text-center">
              <MoreButton left={count - limit} step={PAGE_SIZE} onShow={() => setLimit(limit + PAGE_SIZE)} />
            </div>
          )}
          <Link
            href={`${paths.knowledge}?tab=documents`}
            className="mt-3 inline-block font-medium text-md text-primary-text underline underline-offset-4"
          >
            Все в «Базе знаний»
          </Link>
        </>
      )}
    </PaperSection>
  );
}

/** Documents that are being read or need a user's review come first; the server sorts by newest first. */
function inOrder(documents: readonly KnowledgeDocument[]): KnowledgeDocument[] {
  const done = ({ status }: KnowledgeDocument) => !status || status === "processed";
  return [...documents.filter((document) => !done(document)), ...documents.filter(done)];
}

function Coming() {
  return (
    <div className="flex flex-col gap-4">
      {["first", "second", "third"].map((row) => (
        <Skeleton key={row} className="h-11 w-full" />
      ))}
    </div>
  );
}
