import { telegramImport } from "#web/display-values.ts";
import { Progress } from "#web/ui/progress.tsx";
import { LoadingStatus } from "#web/ui/spinner.tsx";

export function ImportingStep() {
  const { dialogsLimit, messagesPerDialog } = telegramImport;
  return (
    <div className="flex flex-col gap-4 py-6">
      <LoadingStatus>Импортируем переписку и обучаем двойника...</LoadingStatus>
      <Progress value={null} label="Импорт переписки" className="mx-auto w-full max-w-md" />
      <p className="text-center text-sm text-subtle">
        До {dialogsLimit} диалогов, до {messagesPerDialog} сообщений в каждом. Обычно это занимает несколько минут.
      </p>
    </div>
  );
}
