import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type SetAside, setAsideApi } from "#contract/conversations/set-aside.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { refreshAfter } from "#web/api/refresh.ts";
import { formatRecent } from "#web/i18n/format.ts";
import { Button } from "#web/ui/button.tsx";
import { Card, CardHeader } from "#web/ui/layout/card.tsx";
import { ScrollRegion } from "#web/ui/layout/scroll-region.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { toastRefusal } from "#web/ui/toasts/error-toast.ts";

/** Polling interval: a message that is being read again disappears or returns while the user watches. */
const POLL_MS = 5_000;

/** Messages that could not be read or answered; renders nothing without any. */
export function SetAsideCard({ integrationId }: { integrationId: string }) {
  const params = { id: integrationId };
  const { data, error, refetch } = useQuery({ ...queryOf(setAsideApi.list, { params }), refetchInterval: POLL_MS });
  const [leaving, setLeaving] = useState<SetAside | null>(null);
  const { retry, discard } = useDecisions(integrationId, () => setLeaving(null));
  if (data === undefined && error) {
    return <ErrorCard title="Не удалось загрузить отложенное" error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined || data.length === 0) return null;
  return (
    <Card aria-labelledby="set-aside">
      <CardHeader
        id="set-aside"
        title="Отложено"
        description="Это прочитать или обработать не удалось. Остальные сообщения принимаются как обычно."
      />
      <ScrollRegion aria-label="Отложенное" className="max-h-[28rem]">
        <ul className="divide-y">
          {data.map((item) => (
            <li key={item.id} className="flex flex-col gap-2 px-4 py-3 md:px-5">
              <div className="flex flex-col gap-0.5">
                <time dateTime={item.createdAt} className="text-sm text-subtle tabular-nums">
                  {formatRecent(item.createdAt)}
                </time>
                <span className="text-md [overflow-wrap:anywhere]">{item.title}</span>
                <span className="text-sm text-muted">
                  {item.waits ? "Читаем ещё раз: это занимает до минуты." : item.reason}
                </span>
              </div>
              <div className="flex flex-wrap gap-2">
                {item.canRetry && (
                  <Button
                    size="sm"
                    aria-label={`Попробовать снова: ${item.title}`}
                    disabled={item.waits}
                    busy={retry.isPending && retry.variables.id === item.id}
                    onClick={() => retry.mutate(item)}
                  >
                    Попробовать снова
                  </Button>
                )}
                <Button size="sm" variant="ghost" aria-label={`Убрать: ${item.title}`} onClick={() => setLeaving(item)}>
                  Убрать
                </Button>
              </div>
            </li>
          ))}
        </ul>
      </ScrollRegion>
      <ConfirmDialog
        open={leaving !== null}
        onOpenChange={(open) => !open && setLeaving(null)}
        title="Убрать из отложенного?"
        description={`${leaving?.title ?? ""}: двойник на это не ответит. В самом приложении сообщение останется.`}
        confirmLabel="Убрать"
        destructive
        busy={discard.isPending}
        onConfirm={() => leaving && discard.mutate(leaving)}
      />
    </Card>
  );
}

/** Refetches after a failure too, because a colleague may have decided in the meantime. */
const failed = (title: string) => (error: Error) => {
  refreshAfter(setAsideApi.retry);
  toastRefusal(title, "Повторите через минуту")(error);
};

function useDecisions(id: string, close: () => void) {
  const retry = useMutation({
    mutationFn: ({ id: itemId }: SetAside) => call(setAsideApi.retry, { params: { id, itemId } }),
    onError: failed("Не получилось"),
  });
  const discard = useMutation({
    mutationFn: ({ id: itemId }: SetAside) => call(setAsideApi.discard, { params: { id, itemId } }),
    onSuccess: close,
    onError: failed("Не удалось убрать"),
  });
  return { retry, discard };
}
