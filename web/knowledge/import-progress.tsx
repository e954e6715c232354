import { useState } from "react";
import type { ImportState } from "#contract/imports.ts";
import { formatNumber, formatShare } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { Progress } from "#web/ui/progress.tsx";
import { useCancelImport } from "./queries.ts";

export const messages = ["сообщение", "сообщения", "сообщений"] as const;

/** While the server reads or imports the file. */
export function ImportProgress({ state }: { state: ImportState }) {
  const { status, processed, total, imported, duplicates } = state;
  const share = total > 0 ? Math.min(1, processed / total) : null;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-md tabular-nums">
        {status === "reading"
          ? `Читаем файл${processed > 0 ? `: ${plural(processed, messages)}` : ""}`
          : `Обработано ${formatNumber(processed)} из ${formatNumber(total)} сообщений`}
      </p>
      <div className="flex items-center gap-3">
        <Progress
          className="flex-1"
          label={status === "reading" ? "Чтение файла" : "Импорт"}
          value={share === null ? null : share * 100}
        />
        {share !== null && (
          <span aria-hidden className="text-sm text-subtle tabular-nums">
            {formatShare(share)}
          </span>
        )}
      </div>
      {status === "running" && (
        <p className="text-sm text-subtle tabular-nums">
          Новых: {formatNumber(imported)}, повторов: {formatNumber(duplicates)}
        </p>
      )}
      <p className="text-sm text-subtle">Страницу можно закрыть: работа продолжится, а её ход будет виден здесь.</p>
      <CancelImport state={state} />
    </div>
  );
}

export function CancelImport({ state }: { state: ImportState }) {
  const [asked, setAsked] = useState(false);
  const cancel = useCancelImport();
  return (
    <>
      <Button variant="danger" className="self-start" onClick={() => setAsked(true)}>
        Отменить импорт
      </Button>
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title="Отменить импорт?"
        description={
          state.imported > 0
            ? `Уже импортированное (${plural(state.imported, messages)}) останется, остальное нужно будет загрузить заново.`
            : "Файл будет удалён с сервера, его придётся загрузить заново."
        }
        confirmLabel="Отменить импорт"
        cancelLabel="Продолжить"
        destructive
        busy={cancel.isPending}
        onConfirm={() => cancel.mutate(state.id, { onSettled: () => setAsked(false) })}
      />
    </>
  );
}
