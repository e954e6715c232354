import type { UseQueryResult } from "@tanstack/react-query";
import type { ImportState } from "#contract/knowledge/imports.ts";
import type { Twin } from "#contract/twins.ts";
import { formatMoment } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { messages } from "#web/parts/imports/import-progress.tsx";
import { Badge, type BadgeTone } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";

interface ImportHistoryProps {
  imports: UseQueryResult<ImportState[]>;
  twins: Twin[];
  onShow: (id: string) => void;
}

const MAX_IMPORTS = 10;

export function ImportHistory({ imports, twins, onShow }: ImportHistoryProps) {
  if (imports.isError && !imports.data) {
    return <ErrorCard title="Не удалось загрузить импорты" error={imports.error} onRetry={() => imports.refetch()} />;
  }
  if (!imports.data || imports.data.length === 0) return null;
  return (
    <PaperSection id="import-history" title="Последние импорты" className="mt-4">
      <ul className="divide-y border-y">
        {imports.data.slice(0, MAX_IMPORTS).map((state) => (
          <li key={state.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
            <div className="min-w-0 flex-1 basis-48">
              <p className="text-md [overflow-wrap:anywhere]">{state.fileName}</p>
              <p className="text-sm text-subtle">
                {[
                  formatMoment(state.createdAt),
                  twins.find(({ id }) => id === state.digitalTwinId)?.name,
                  state.imported > 0 && plural(state.imported, messages),
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </p>
            </div>
            <Badge tone={looks[state.status].tone}>{looks[state.status].name}</Badge>
            <Button size="sm" aria-label={`Открыть импорт ${state.fileName}`} onClick={() => onShow(state.id)}>
              Открыть
            </Button>
          </li>
        ))}
      </ul>
    </PaperSection>
  );
}

const looks: Record<ImportState["status"], { name: string; tone: BadgeTone }> = {
  reading: { name: "Читается", tone: "info" },
  preview: { name: "Ждёт выбора чатов", tone: "warning" },
  running: { name: "Идёт", tone: "info" },
  done: { name: "Завершён", tone: "success" },
  failed: { name: "Не удался", tone: "danger" },
  cancelled: { name: "Отменён", tone: "neutral" },
};
