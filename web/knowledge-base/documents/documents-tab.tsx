import { useMemo, useState } from "react";
import { Link } from "wouter";
import type { KnowledgeDocument } from "#contract/knowledge/knowledge.ts";
import type { Twin } from "#contract/twins.ts";
import { plural } from "#web/i18n/plural.ts";
import { DocumentList, documentColumns } from "#web/parts/documents/document-list.tsx";
import { documentTypeName } from "#web/parts/documents/document-names.ts";
import { useDocuments } from "#web/parts/documents/queries.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { EditorButton } from "#web/session/editor-button.tsx";
import { Button } from "#web/ui/button.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { MoreButton } from "#web/ui/more-button.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { ExampleRow } from "../example-row.tsx";
import { TwinSelect } from "../twin-select.tsx";
import type { ChangeAddress, KnowledgeAddress } from "../use-knowledge-address.ts";
import { type LoadedUses, UseLine, useUses } from "../uses.tsx";

const PAGE_SIZE = 50;

interface TabProps {
  address: KnowledgeAddress;
  onAddress: ChangeAddress;
}

/** All documents with the number of answers of the last 30 days based on each. */
export default function DocumentsTab({ address, onAddress }: TabProps) {
  const documents = useDocuments();
  const twins = useTwins().data ?? [];
  const uses = useUses();
  if (documents.isError && !documents.data) {
    return (
      <ErrorCard
        title="Не удалось загрузить документы"
        error={documents.error}
        onRetry={() => void documents.refetch()}
      />
    );
  }
  if (documents.data === undefined) return <DocumentsSkeleton />;
  if (documents.data.length === 0) return <NoDocuments />;
  return <Documents documents={documents.data} twins={twins} uses={uses} address={address} onAddress={onAddress} />;
}

interface DocumentsProps extends TabProps {
  documents: KnowledgeDocument[];
  twins: Twin[];
  uses: LoadedUses;
}

function Documents({ documents, twins, uses, address, onAddress }: DocumentsProps) {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const { doc, twin, order } = address;
  const wanted = doc.trim().toLowerCase();
  const found = useMemo(() => {
    const passing = documents.filter(
      (document) =>
        (twin === "all" || document.digitalTwinId === twin) && (wanted === "" || textOf(document).includes(wanted)),
    );
    if (order !== "used") return passing;
    const answers = ({ id }: KnowledgeDocument) => uses.of({ documentId: id })?.answers ?? 0;
    return passing.sort((one, other) => answers(other) - answers(one));
  }, [documents, twin, wanted, order, uses.of]);
  const filtered = wanted !== "" || twin !== "all";
  const shown = documents.find(({ id }) => id === address.document);
  const withTwin = twins.length > 1 && twin === "all";
  return (
    <section aria-label="Документы">
      <search className="mb-4 flex flex-wrap gap-3">
        <Input
          type="search"
          aria-label="Поиск по документам"
          placeholder="Название, тип или тег"
          className="min-w-0 flex-1 basis-52 max-sm:basis-full"
          value={doc}
          onChange={(event) => onAddress({ doc: event.target.value })}
        />
        <TwinSelect twins={twins} value={twin} onChange={(chosen) => onAddress({ twin: chosen })} />
        <Select
          aria-label="Порядок документов"
          className="basis-44 max-sm:flex-1"
          value={order === "used" ? order : ""}
          onChange={(event) => onAddress({ order: event.target.value === "used" ? "used" : "" })}
        >
          <option value="">По дате</option>
          <option value="used">По ответам</option>
        </Select>
      </search>
      <p role="status" className="sr-only">
        {filtered && `Найдено: ${plural(found.length, ["документ", "документа", "документов"])}`}
      </p>
      {found.length === 0 ? (
        <EmptyState
          open
          title="Ничего не найдено"
          action={<Button onClick={() => onAddress({ doc: "", twin: "all" })}>Сбросить фильтры</Button>}
        />
      ) : (
        <div
          aria-hidden
          style={documentColumns(withTwin)}
          className="hidden gap-x-2 px-2 py-2 text-sm text-subtle lg:grid lg:grid-cols-(--columns)"
        >
          <span>{plural(found.length, ["документ", "документа", "документов"])}</span>
          <span>Тип</span>
          {withTwin && <span>Двойник</span>}
          <span>Загружен</span>
          <span>Ответы за 30 дней</span>
        </div>
      )}
      {/* Rendered even when no document matches, because the document of the address stays open. */}
      <DocumentList
        documents={found.slice(0, limit)}
        twins={twins}
        withTwin={withTwin}
        answersOf={({ id, name }) => <UseLine use={uses.of({ documentId: id })} uses={uses} name={name} />}
        shown={shown}
        onShow={(document) => onAddress({ document: document?.id ?? "" })}
      />
      {found.length > limit && (
        <div className="border-t p-2 text-center">
          <MoreButton left={found.length - limit} step={PAGE_SIZE} onShow={() => setLimit(limit + PAGE_SIZE)} />
        </div>
      )}
    </section>
  );
}

const textOf = ({ name, type, tags, sourceUrl }: KnowledgeDocument) =>
  [name, documentTypeName(type), ...tags, sourceUrl ?? ""].join("\n").toLowerCase();

function NoDocuments() {
  return (
    <>
      <EmptyState
        open
        title="Документы пока не загружены"
        description="Прайс, условия доставки, ответы на частые вопросы: у каждого документа будет видно, сколько ответов на нём стояло."
        action={
          <EditorButton asChild>
            <Link href={paths.trainAi}>Загрузить документ</Link>
          </EditorButton>
        }
      />
      <ExampleRow title="Прайс и доставка" detail="Вопросы и ответы" use="12 ответов, последний сегодня" />
    </>
  );
}

function DocumentsSkeleton() {
  return (
    <>
      <p role="status" className="sr-only">
        Загружаем документы...
      </p>
      <div className="divide-y border-y">
        {[0, 1, 2, 3].map((row) => (
          <div key={row} className="flex min-h-11 items-center justify-between gap-4 px-2">
            <Skeleton className="h-5 w-64 max-w-[60%]" />
            <Skeleton className="h-4 w-32" />
          </div>
        ))}
      </div>
    </>
  );
}
