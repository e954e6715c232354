import { useRef, useState } from "react";
import type { ImportState } from "#contract/knowledge/imports.ts";
import { formatNumber, formatShare } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { noteCount, paceOf, type Seen, timeLeft } from "./import-pace.ts";
import { useCancelImport } from "./queries.ts";

export const messages = ["сообщение", "сообщения", "сообщений"] as const;

export function ImportProgress({ state }: { state: ImportState }) {
  const { status, processed, total, imported, duplicates } = state;
  const pace = usePace(processed);
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
          Чатов: {formatNumber(state.chats.length)}, новых сообщений: {formatNumber(imported)}, повторов:{" "}
          {formatNumber(duplicates)}
          {pace > 0 && ` · ${formatNumber(Math.round(pace))} в секунду, ${timeLeft(total - processed, pace)}`}
        </p>
      )}
      <p className="text-sm text-subtle">Страницу можно закрыть: работа продолжится, а её ход будет виден здесь.</p>
      <CancelImport state={state} />
    </div>
  );
}

/** Returns the recent growth of `count` per second; 0 until it is known. */
function usePace(count: number): number {
  const seen = useRef<Seen[]>([]);
  seen.current = noteCount(seen.current, { at: performance.now(), count });
  return paceOf(seen.current);
}

/** `quiet`: styled to be less prominent than the action beside it. */
export function CancelImport({ state, quiet = false }: { state: ImportState; quiet?: boolean }) {
  const [asked, setAsked] = useState(false);
  const cancel = useCancelImport();
  return (
    <>
      <Button
        {...(quiet ? { size: "sm", className: "max-sm:w-full" } : { variant: "danger", className: "self-start" })}
        onClick={() => setAsked(true)}
      >
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
