import { useEffect, useRef } from "react";
import type { KnowledgeDocument } from "#contract/knowledge.ts";
import { formatMoment } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Dialog, DialogContent } from "#web/ui/dialog.tsx";
import { ErrorCard } from "#web/ui/error-card.tsx";
import { ScrollRegion } from "#web/ui/scroll-region.tsx";
import { LoadingStatus } from "#web/ui/spinner.tsx";
import { documentTypeName } from "./option-names.ts";
import { useDocument } from "./queries.ts";

interface DocumentDialogProps {
  /** As the list has it: only the beginning of its text. */
  document: KnowledgeDocument;
  /** A part of its text to be shown, word for word. */
  passage?: string;
  onClose: () => void;
}

export default function DocumentDialog({ document, passage, onClose }: DocumentDialogProps) {
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
              <Content text={whole.data.content} passage={passage} />
            </p>
          </ScrollRegion>
        ) : (
          <LoadingStatus className="py-10">Загрузка...</LoadingStatus>
        )}
      </DialogContent>
    </Dialog>
  );
}

/** The text with the passage marked and in sight. */
function Content({ text, passage }: { text: string; passage: string | undefined }) {
  const mark = useRef<HTMLElement>(null);
  useEffect(() => {
    mark.current?.scrollIntoView({ block: "center" });
  }, []);
  const at = passage === undefined ? -1 : text.indexOf(passage);
  if (passage === undefined || at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark ref={mark} className="rounded-sm bg-warning-soft text-fg">
        {passage}
      </mark>
      {text.slice(at + passage.length)}
    </>
  );
}
