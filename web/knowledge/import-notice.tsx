import { FileUp } from "lucide-react";
import type { ImportState } from "#contract/knowledge/imports.ts";
import { formatShare } from "#web/i18n/format.ts";
import { isInProgress } from "#web/parts/imports/queries.ts";
import { Button } from "#web/ui/button.tsx";
import type { useTrainAiAddress } from "./use-train-ai-address.ts";

interface ImportNoticeProps {
  imports: ImportState[];
  address: ReturnType<typeof useTrainAiAddress>[0];
  onShow: ReturnType<typeof useTrainAiAddress>[1];
}

/** A link to an unfinished import, shown on all screens but the import's own. */
export function ImportNotice({ imports, address, onShow }: ImportNoticeProps) {
  const state = imports.find((each) => isInProgress(each) || each.status === "preview");
  if (!state || (address.tab === "dialogues" && address.from === "file")) return null;
  const { id, digitalTwinId, fileName } = state;
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-info-soft px-4 py-3 text-info-text">
      <FileUp aria-hidden className="icon" />
      <p className="min-w-0 flex-1 basis-40 text-md tabular-nums [overflow-wrap:anywhere]">
        {fileName}: {words(state)}
      </p>
      <Button size="sm" onClick={() => onShow({ tab: "dialogues", from: "file", twin: digitalTwinId, import: id })}>
        Показать импорт
      </Button>
    </div>
  );
}

function words({ status, processed, total }: ImportState): string {
  if (status === "reading") return "файл читается";
  if (status === "preview") return "выберите чаты, чтобы начать импорт";
  return total > 0 ? `импорт идёт, ${formatShare(Math.min(1, processed / total))}` : "импорт идёт";
}
