import type { KnowledgeDocument } from "#contract/knowledge/knowledge.ts";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import DocumentDialog from "./document-dialog.tsx";
import { useRemoveDocument } from "./queries.ts";

interface DocumentWindowsProps {
  shown: KnowledgeDocument | undefined;
  onHide: () => void;
  doomed: KnowledgeDocument | undefined;
  onSettled: () => void;
}

export default function DocumentWindows({ shown, onHide, doomed, onSettled }: DocumentWindowsProps) {
  const remove = useRemoveDocument();
  return (
    <>
      {shown && <DocumentDialog document={shown} onClose={onHide} />}
      {doomed && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && onSettled()}
          title="Удалить документ?"
          description={`«${doomed.name}» и всё, что двойник из него знает, исчезнут. Это действие нельзя отменить.`}
          confirmLabel="Удалить"
          destructive
          busy={remove.isPending}
          onConfirm={() => remove.mutate(doomed.id, { onSuccess: onSettled })}
        />
      )}
    </>
  );
}
