import { useEffect, useRef } from "react";
import type { KnowledgeDocument } from "#contract/knowledge/knowledge.ts";
import { formatMoment } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { Badge } from "#web/ui/badge.tsx";
import { ScrollRegion } from "#web/ui/layout/scroll-region.tsx";
import { Dialog, DialogContent } from "#web/ui/overlays/dialog.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { documentTypeName } from "./option-names.ts";
import { useDocument } from "./queries.ts";

interface DocumentDialogProps {
  /** As the list has it: only the beginning of its text. */
  document: KnowledgeDocument;
  /** A part of its text to be shown, word for word. */
  chunk?: string;
  onClose: () => void;
}

export default function DocumentDialog({ document, chunk, onClose }: DocumentDialogProps) {
  const whole = useDocument(document.id);
  const { name, type, tags, length, createdAt } = document;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        size="lg"
        title={<span className="[overflow-wrap:anywhere]">{name}</span>}
        description={`${documentTypeName(type)} · ${plural(length, ["символ", "символа", "символов"])} · ${formatMoment(createdAt)}`}
      >
        {tags.length > 0 && (
          <ul aria-label="Теги" className="mb-4 flex flex-wrap gap-1.5">
            {tags.map((tag) => (
              <li key={tag}>
                <Badge>{tag}</Badge>
              </li>
            ))}
          </ul>
        )}
        {whole.isError ? (
          <ErrorCard title="Не удалось загрузить документ" error={whole.error} onRetry={() => whole.refetch()} />
        ) : whole.data ? (
          <ScrollRegion aria-label="Текст документа" className="min-h-0 rounded-md bg-sunken p-4">
            <p className="max-w-measure whitespace-pre-wrap text-base [overflow-wrap:anywhere]">
              <Content text={whole.data.content} chunk={chunk} />
            </p>
          </ScrollRegion>
        ) : (
          <LoadingStatus className="py-10">Загрузка...</LoadingStatus>
        )}
      </DialogContent>
    </Dialog>
  );
}

/** The text with the chunk highlighted and scrolled into view. */
function Content({ text, chunk }: { text: string; chunk: string | undefined }) {
  const mark = useRef<HTMLElement>(null);
  useEffect(() => {
    mark.current?.scrollIntoView({ block: "center" });
  }, []);
  const at = chunk === undefined ? -1 : text.indexOf(chunk);
  if (chunk === undefined || at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark ref={mark} className="rounded-sm bg-warning-soft text-fg">
        {chunk}
      </mark>
      {text.slice(at + chunk.length)}
    </>
  );
}
