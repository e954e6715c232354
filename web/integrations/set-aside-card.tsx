import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type SetAside, setAsideApi } from "#contract/set-aside.ts";
import { call, queryKeyOf, queryOf } from "#web/api.ts";
import { formatRecent } from "#web/i18n/format.ts";
import { Button } from "#web/ui/button.tsx";
import { Card, CardHeader } from "#web/ui/card.tsx";
import { ConfirmDialog } from "#web/ui/confirm-dialog.tsx";
import { ErrorCard } from "#web/ui/error-card.tsx";
import { ScrollRegion } from "#web/ui/scroll-region.tsx";
import { invalidateIntegrations, toastRefusal } from "./queries.ts";

/** A letter that is read again comes or goes while one looks on. */
const LOOK_MS = 5_000;

/** What could not be read or answered; nothing is shown while there is none. */
export function SetAsideCard({ integrationId }: { integrationId: string }) {
  const params = { id: integrationId };
  const { data, error, refetch } = useQuery({ ...queryOf(setAsideApi.list, { params }), refetchInterval: LOOK_MS });
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

function useDecisions(id: string, close: () => void) {
  const client = useQueryClient();
  const refresh = () => {
    void client.invalidateQueries({ queryKey: queryKeyOf(setAsideApi.list, { params: { id } }) });
    void invalidateIntegrations(client);
  };
  const retry = useMutation({
    mutationFn: ({ id: itemId }: SetAside) => call(setAsideApi.retry, { params: { id, itemId } }),
    onSettled: refresh,
    onError: (error) => toastRefusal("Не получилось", error, "Повторите через минуту"),
  });
  const discard = useMutation({
    mutationFn: ({ id: itemId }: SetAside) => call(setAsideApi.discard, { params: { id, itemId } }),
    onSuccess: close,
    onSettled: refresh,
    onError: (error) => toastRefusal("Не удалось убрать", error, "Повторите через минуту"),
  });
  return { retry, discard };
}
