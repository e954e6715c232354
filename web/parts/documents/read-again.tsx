import { useMutation } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { type KnowledgeDocument, knowledgeApi } from "#contract/knowledge/knowledge.ts";
import { call } from "#web/api/call.ts";
import { refreshed } from "#web/api/refresh.ts";
import { Button } from "#web/ui/button.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";

/** Whether a recording or picture could be read better by another attempt. Lists do not contain the original itself. */
export const isReadAgain = ({ status, mime, original }: KnowledgeDocument): boolean =>
  (status === "unsure" || status === "failed") &&
  /^(?:image|audio)\//.test(mime ?? "") &&
  original?.hasOriginal !== false;

interface ReadAgainProps {
  document: KnowledgeDocument;
  whyNot: string | null;
  /** Whether the button is in a row, where its accessible name must include the document. */
  inRow?: boolean;
}

export function ReadAgainButton({ document: { id, name }, whyNot, inRow }: ReadAgainProps) {
  const reading = useMutation({
    mutationFn: () => call(knowledgeApi.readDocumentAgain, { params: { id } }),
    onSuccess: refreshed,
    onError: toastError("Не удалось начать чтение"),
  });
  return (
    <Button
      {...(inRow
        ? {
            size: "sm",
            variant: "ghost",
            className: "relative z-1 shrink-0 self-center",
            "aria-label": `Прочитать ещё раз «${name}»`,
          }
        : {})}
      whyNot={whyNot}
      busy={reading.isPending}
      onClick={() => reading.mutate()}
    >
      {!reading.isPending && <RotateCw aria-hidden className="icon" />}
      Прочитать ещё раз
    </Button>
  );
}
