import { Pencil } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import type { KnowledgeDocument } from "#contract/knowledge/knowledge.ts";
import { formatMoment } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { ScrollRegion } from "#web/ui/layout/scroll-region.tsx";
import { Markdown } from "#web/ui/markdown/markdown.tsx";
import { Dialog, DialogContent, DialogFooter } from "#web/ui/overlays/dialog.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { DocumentEditor } from "./document-editor.tsx";
import { documentTypeName, formatName } from "./document-names.ts";
import { useDocument, useUpdateDocument } from "./queries.ts";
import { isReadAgain, ReadAgainButton } from "./read-again.tsx";

const DocumentOriginal = lazy(() => import("./document-original.tsx"));

interface DocumentDialogProps {
  /** The document as the list has it, with only the beginning of its text. */
  document: KnowledgeDocument;
  chunk?: string;
  onClose: () => void;
}

export default function DocumentDialog({ document, chunk, onClose }: DocumentDialogProps) {
  const whole = useDocument(document.id);
  const [editing, setEditing] = useState(false);
  const { name, type, tags, length, createdAt, mime, sourceUrl } = whole.data ?? document;
  const file = sourceUrl ? undefined : formatName(mime);
  const about = [
    documentTypeName(type),
    ...(file ? [file] : []),
    plural(length, ["символ", "символа", "символов"]),
    formatMoment(createdAt),
  ];
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        size="lg"
        title={<span className="[overflow-wrap:anywhere]">{name}</span>}
        description={about.join(" · ")}
      >
        {sourceUrl && (
          <p className="mb-4 text-md [overflow-wrap:anywhere]">
            Источник:{" "}
            <a
              href={sourceUrl}
              target="_blank"
              rel="noreferrer"
              className="text-primary-text underline underline-offset-4"
            >
              {decodedUrl(sourceUrl)}
            </a>
          </p>
        )}
        {tags.length > 0 && !editing && (
          <ul aria-label="Теги" className="mb-4 flex flex-wrap gap-1.5">
            {tags.map((tag) => (
              <li key={tag}>
                <Badge>{tag}</Badge>
              </li>
            ))}
          </ul>
        )}
        {whole.isError && !whole.data ? (
          <ErrorCard title="Не удалось загрузить документ" error={whole.error} onRetry={() => whole.refetch()} />
        ) : !whole.data ? (
          <LoadingStatus className="py-10">Загрузка...</LoadingStatus>
        ) : editing ? (
          <DocumentEditor document={whole.data} onDone={() => setEditing(false)} />
        ) : (
          <>
            {whole.data.original && (
              <Suspense>
                <DocumentOriginal document={whole.data} />
              </Suspense>
            )}
            {whole.data.content !== "" && (
              <ScrollRegion aria-label="Текст документа" className="min-h-24 rounded-md bg-sunken p-4">
                <div className="flex max-w-measure flex-col gap-3 text-base [overflow-wrap:anywhere]">
                  <Content text={whole.data.content} chunk={chunk} />
                </div>
              </ScrollRegion>
            )}
            <EditButton document={whole.data} onEdit={() => setEditing(true)} />
          </>
        )}
      </DialogContent>
    </Dialog>
  );
}

function decodedUrl(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}

function EditButton({ document, onEdit }: { document: KnowledgeDocument; onEdit: () => void }) {
  const twin = useTwins().data?.find(({ id }) => id === document.digitalTwinId);
  const readOnly = useReadOnly(twin);
  // A response without a version comes from a server that cannot change documents.
  if (document.version === undefined || document.status === "processing") return null;
  return (
    <DialogFooter>
      <Button whyNot={readOnly} onClick={onEdit}>
        <Pencil aria-hidden className="icon" />
        {document.content === "" ? "Ввести текст" : "Изменить"}
      </Button>
      {isReadAgain(document) && <ReadAgainButton document={document} whyNot={readOnly} />}
      {document.status === "unsure" && <ApproveButton document={document} whyNot={readOnly} />}
    </DialogFooter>
  );
}

/** Confirms that the text of a recording or picture was read correctly, so that the twin answers from it. */
function ApproveButton({ document, whyNot }: { document: KnowledgeDocument; whyNot: string | null }) {
  const update = useUpdateDocument(document.id);
  const { name, content, version = "" } = document;
  return (
    <Button
      variant="primary"
      whyNot={whyNot}
      busy={update.isPending}
      onClick={() =>
        update.mutate({ name, content, version }, { onError: toastError("Не удалось сохранить документ") })
      }
    >
      Всё верно
    </Button>
  );
}

/** A longer text is shown unformatted, because so many elements would block the page. */
const LONGEST_READ = 300_000;

function Content({ text, chunk }: { text: string; chunk: string | undefined }) {
  const mark = useRef<HTMLElement>(null);
  useEffect(() => {
    mark.current?.scrollIntoView({ block: "center" });
  }, []);
  const at = chunk === undefined ? -1 : text.indexOf(chunk);
  const Text = text.length > LONGEST_READ ? AsItIs : Markdown;
  if (chunk === undefined || at < 0) return <Text text={text} />;
  return (
    <>
      <Text text={text.slice(0, at)} />
      <mark ref={mark} className="flex flex-col gap-3 rounded-sm bg-warning-soft text-fg">
        <Text text={chunk} />
      </mark>
      <Text text={text.slice(at + chunk.length)} />
    </>
  );
}

const AsItIs = ({ text }: { text: string }) => <p className="whitespace-pre-wrap">{text}</p>;
