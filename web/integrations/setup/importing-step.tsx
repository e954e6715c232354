import { telegramImport } from "#web/display-values.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { Progress } from "#web/ui/figures/progress.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useImportState } from "./setup-queries.ts";

interface ImportingStepProps {
  integrationId: string;
  chosen: number | null;
}

export function ImportingStep({ integrationId, chosen }: ImportingStepProps) {
  const { dialogsLimit, messagesPerDialog } = telegramImport;
  const { data } = useImportState(integrationId);
  // Until the dialogs are listed, no progress can be computed.
  const known = data && data.status === "running" && data.dialogs > 0 ? data : null;
  return (
    <div className="flex flex-col gap-4 py-6">
      <LoadingStatus>Импортируем переписку и обучаем двойника...</LoadingStatus>
      <Progress value={known && known.progress * 100} label="Импорт переписки" className="mx-auto w-full max-w-md" />
      {known && (
        <p className="text-center text-md tabular-nums">
          Прочитано диалогов: {formatNumber(known.dialogsDone)} из {formatNumber(known.dialogs)}, сообщений:{" "}
          {formatNumber(known.messages)}
        </p>
      )}
      {data?.status === "running" && data.notice && (
        <p role="status" className="text-center text-md text-warning-text">
          {data.notice}
        </p>
      )}
      <p className="text-center text-sm text-subtle">
        {chosen === null ? `До ${dialogsLimit} диалогов` : `Выбрано диалогов: ${formatNumber(chosen)}`}, до{" "}
        {messagesPerDialog} сообщений в каждом. Обычно это занимает несколько минут; страницу можно закрыть, импорт
        продолжится.
      </p>
    </div>
  );
}
