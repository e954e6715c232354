import { ListChecks } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { Integration } from "#contract/integrations/integrations.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { useLatestImport } from "../setup/setup-queries.ts";

const HistoryDialog = lazy(() => import("./history-dialog.tsx"));

export function AccountHistory({ integration: { id, status, messagesImported } }: { integration: Integration }) {
  const [choosing, setChoosing] = useState(false);
  const { data } = useLatestImport(id);
  const running = data?.status === "running";

  return (
    <PaperSection id="account-history" title="История переписки">
      <div className="flex flex-col gap-4">
        <p className="max-w-measure text-md text-muted">
          Двойник учится на&nbsp;выбранных диалогах этого аккаунта. Группы он читает, только если вы&nbsp;их отметили;
          кнопка «Переимпорт» читает те&nbsp;же диалоги снова.
        </p>
        <p className="text-md tabular-nums">Импортировано сообщений: {formatNumber(messagesImported)}</p>
        {running && (
          <div className="flex flex-col gap-2">
            <Progress value={data.dialogs > 0 ? data.progress * 100 : null} label="Импорт переписки" />
            <p role="status" className="text-sm text-subtle tabular-nums">
              Прочитано диалогов: {formatNumber(data.dialogsDone)} из {formatNumber(data.dialogs)}
            </p>
          </div>
        )}
        {data?.notice && <p className="text-md text-warning-text">{data.notice}</p>}
        {status === "active" ? (
          <Button className="self-start max-sm:w-full" disabled={running} onClick={() => setChoosing(true)}>
            <ListChecks aria-hidden className="icon" />
            Выбрать диалоги
          </Button>
        ) : (
          <p className="text-sm text-subtle">Чтобы импортировать, включите интеграцию.</p>
        )}
      </div>
      <Suspense>{choosing && <HistoryDialog integrationId={id} onClose={() => setChoosing(false)} />}</Suspense>
    </PaperSection>
  );
}
