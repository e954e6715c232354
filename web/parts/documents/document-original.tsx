import type { KnowledgeDocument } from "#contract/knowledge/knowledge.ts";
import { Original } from "#web/parts/chat/media-message.tsx";

export default function DocumentOriginal({ document: { original, status } }: { document: KnowledgeDocument }) {
  if (!original) return null;
  return (
    <div className="mb-4 flex flex-col gap-2 text-md">
      <Original media={original} />
      {original.confidence !== null && original.note !== null && <p>{original.note} Прежний текст остался.</p>}
      {status in WHAT_TO_DO && <p className="max-w-measure text-muted">{WHAT_TO_DO[status]}</p>}
    </div>
  );
}

const WHAT_TO_DO: Record<string, string> = {
  processing: "Текст появится здесь сам, страницу можно закрыть.",
  unsure: "Двойник не отвечает по этому тексту, пока вы его не проверите.",
  failed: "Прочитайте файл ещё раз или введите текст сами.",
};
