import type { ReplySource } from "#contract/conversations/conversations.ts";
import { Dialog, DialogContent } from "#web/ui/overlays/dialog.tsx";

interface SourceDialogProps {
  source: ReplySource;
  onClose: () => void;
}

export default function SourceDialog({ source, onClose }: SourceDialogProps) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={source.name}
        description={
          source.documentId === ""
            ? "Ваши слова, на которых основан ответ"
            : "Фрагмент документа, на котором основан ответ"
        }
      >
        <blockquote className="whitespace-pre-wrap rounded-md bg-sunken p-4 text-base [overflow-wrap:anywhere]">
          {source.text}
        </blockquote>
      </DialogContent>
    </Dialog>
  );
}
