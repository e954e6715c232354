import { Plus, Webhook as WebhookIcon } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { Webhook, WebhookDelivery } from "#contract/integrations/webhooks.ts";
import { formatRecent } from "#web/i18n/format.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card, CardHeader } from "#web/ui/layout/card.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useDeliveries, useWebhookActs, useWebhooks } from "./webhook-queries.ts";

const loadDialog = () => import("./webhook-dialog.tsx");
const WebhookDialog = lazy(loadDialog);
const SecretDialog = lazy(() => loadDialog().then((module) => ({ default: module.SecretDialog })));

export function WebhooksTab({ twinId }: { twinId: string }) {
  const query = useWebhooks(twinId);
  const [making, setMaking] = useState(false);
  if (query.error && !query.data)
    return <ErrorCard title="Не удалось загрузить вебхуки" error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <LoadingStatus className="min-h-80">Загружаем вебхуки...</LoadingStatus>;
  return (
    <Card aria-labelledby="webhooks">
      <CardHeader
        id="webhooks"
        title="Вебхуки"
        description="Сообщаем вашей системе, когда двойнику пишут и когда он отвечает"
        action={
          <Button variant="primary" onClick={() => setMaking(true)}>
            <Plus aria-hidden className="icon" />
            Новый вебхук
          </Button>
        }
      />
      {query.data.length === 0 ? (
        <EmptyState icon={WebhookIcon} title="Вебхуков пока нет" description="Добавьте адрес вашей CRM или сервера." />
      ) : (
        <ul className="divide-y">
          {query.data.map((webhook) => (
            <WebhookRow key={webhook.id} twinId={twinId} webhook={webhook} />
          ))}
        </ul>
      )}
      <Suspense>{making && <WebhookDialog twinId={twinId} onClose={() => setMaking(false)} />}</Suspense>
    </Card>
  );
}

function WebhookRow({ twinId, webhook }: { twinId: string; webhook: Webhook }) {
  const acts = useWebhookActs(twinId);
  const [open, setOpen] = useState<"edit" | "log" | "remove" | "rotate">();
  const close = () => setOpen(undefined);
  const { id, url, enabled, disabledReason, failingSince } = webhook;
  return (
    <li className="flex flex-col gap-3 p-4 md:px-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="min-w-0 text-base [overflow-wrap:anywhere]">{url}</h3>
        <Badge tone={!enabled ? "neutral" : failingSince ? "warning" : "success"}>
          {!enabled ? "Выключен" : failingSince ? "Не доходит" : "Включён"}
        </Badge>
      </div>
      {disabledReason && <p className="text-danger-text text-md">Отключён: {disabledReason}</p>}
      {enabled && failingSince && <p className="text-md text-muted">Не доходит с {formatRecent(failingSince)}</p>}
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          aria-label={`Проверить: ${url}`}
          busy={acts.test.isPending}
          onClick={() => acts.test.mutate(id)}
        >
          Проверить
        </Button>
        <Button
          size="sm"
          aria-label={`Журнал: ${url}`}
          aria-expanded={open === "log"}
          onClick={() => setOpen(open === "log" ? undefined : "log")}
        >
          Журнал
        </Button>
        <Button size="sm" aria-label={`Изменить: ${url}`} onClick={() => setOpen("edit")}>
          Изменить
        </Button>
        <Button size="sm" aria-label={`Сменить секрет: ${url}`} onClick={() => setOpen("rotate")}>
          Сменить секрет
        </Button>
        <Button size="sm" aria-label={`Удалить: ${url}`} variant="danger" onClick={() => setOpen("remove")}>
          Удалить
        </Button>
      </div>
      {open === "log" && <DeliveryLog twinId={twinId} webhookId={id} />}
      <Suspense>
        {open === "edit" && <WebhookDialog twinId={twinId} webhook={webhook} onClose={close} />}
        {acts.rotate.data && <SecretDialog secret={acts.rotate.data.secret} onClose={acts.rotate.reset} />}
      </Suspense>
      <ConfirmDialog
        open={open === "rotate"}
        onOpenChange={close}
        title="Сменить секрет подписи?"
        description="Сутки мы будем подписывать запросы и новым, и прежним секретом: успейте заменить его у получателя."
        confirmLabel="Сменить"
        busy={acts.rotate.isPending}
        onConfirm={() => acts.rotate.mutate(id, { onSuccess: close })}
      />
      <ConfirmDialog
        open={open === "remove"}
        onOpenChange={close}
        title="Удалить вебхук?"
        description={`${url}: сообщения о событиях прекратятся, журнал доставки удалится.`}
        confirmLabel="Удалить"
        destructive
        busy={acts.remove.isPending}
        onConfirm={() => acts.remove.mutate(id)}
      />
    </li>
  );
}

const STATES = {
  pending: ["info", "В пути"],
  delivered: ["success", "Доставлено"],
  failed: ["danger", "Не доставлено"],
} as const;

function DeliveryLog({ twinId, webhookId }: { twinId: string; webhookId: string }) {
  const query = useDeliveries(twinId, webhookId);
  const { resend } = useWebhookActs(twinId);
  if (query.error) return <ErrorCard title="Не удалось загрузить журнал" error={query.error} onRetry={query.refetch} />;
  if (!query.data) return <LoadingStatus>Загружаем журнал...</LoadingStatus>;
  if (query.data.length === 0) return <p className="text-md text-muted">Пока ничего не отправлено.</p>;
  return (
    <ul className="divide-y rounded-md border">
      {query.data.map((delivery) => (
        <li key={delivery.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-md">
          <code className="font-mono text-sm">{delivery.event}</code>
          <Badge tone={STATES[delivery.state][0]}>{STATES[delivery.state][1]}</Badge>
          <span className="min-w-0 text-sm text-subtle tabular-nums">{wordsOf(delivery)}</span>
          {delivery.state !== "pending" && (
            <Button
              size="sm"
              className="ms-auto"
              busy={resend.isPending && resend.variables.deliveryId === delivery.id}
              onClick={() => resend.mutate({ id: webhookId, deliveryId: delivery.id })}
            >
              Отправить ещё раз
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

const wordsOf = ({ createdAt, error, nextAttemptAt, attempts }: WebhookDelivery): string =>
  [
    formatRecent(createdAt),
    attempts > 1 ? `попыток: ${attempts}` : "",
    error ?? "",
    nextAttemptAt ? `следующая ${formatRecent(nextAttemptAt)}` : "",
  ]
    .filter(Boolean)
    .join(" · ");
