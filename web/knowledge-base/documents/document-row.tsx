import { Trash2 } from "lucide-react";
import type { KnowledgeDocument } from "#contract/knowledge/knowledge.ts";
import type { Twin } from "#contract/twins.ts";
import { documentStatusName, documentTypeName } from "#web/parts/documents/document-names.ts";
import { isReadAgain, ReadAgainButton } from "#web/parts/documents/read-again.tsx";
import { useReadOnly } from "#web/session/read-only.ts";
import { Button } from "#web/ui/button.tsx";
import { UseLine, type Uses } from "../uses.tsx";

interface DocumentRowProps {
  document: KnowledgeDocument;
  twin: Twin | undefined;
  /** Whether the row says whose it is. */
  withTwin: boolean;
  uses: Uses;
  onOpen: () => void;
  onRemove: () => void;
}

export function DocumentRow({ document, twin, withTwin, uses, onOpen, onRemove }: DocumentRowProps) {
  const { id, name, type, status, sourceUrl } = document;
  const readOnly = useReadOnly(twin);
  const about = [
    documentTypeName(type),
    ...(sourceUrl ? [new URL(sourceUrl).host] : []),
    ...(withTwin && twin ? [twin.name] : []),
    ...(status && status !== "processed" ? [documentStatusName(status)] : []),
  ].join(" · ");
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_2.5rem] items-center gap-x-4 px-4 py-1 max-md:py-2 md:min-h-11 md:grid-cols-[minmax(0,1fr)_18rem_2.5rem] md:px-5">
      <p className="flex min-w-0 items-baseline gap-x-3 max-md:flex-wrap">
        <button
          type="button"
          onClick={onOpen}
          className="min-w-0 rounded-sm text-start font-medium text-md hover:text-primary-text hover:underline max-md:line-clamp-2 md:truncate"
        >
          {name}
        </button>
        <span className="shrink-0 text-sm text-subtle max-md:w-full max-md:truncate md:max-w-[50%] md:truncate">
          {about}
        </span>
        {isReadAgain(document) && <ReadAgainButton document={document} whyNot={readOnly} inRow />}
      </p>
      <Button
        variant="ghost"
        size="icon"
        className="md:order-last"
        aria-label={`Удалить документ «${name}»`}
        whyNot={readOnly}
        onClick={onRemove}
      >
        <Trash2 aria-hidden className="icon text-muted" />
      </Button>
      <p className="min-w-0 text-muted text-sm max-md:col-span-2">
        <span className="md:sr-only">Ответы за 30 дней: </span>
        <UseLine use={uses.of({ documentId: id })} uses={uses} name={name} />
      </p>
    </li>
  );
}
