import { Pause, Play } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import type { Integration } from "#contract/integrations/integrations.ts";
import { formatMoment } from "#web/i18n/format.ts";
import { connectionState } from "#web/parts/connection-states.ts";
import { paths } from "#web/paths.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { platformLabelOf } from "#web/ui/platform-icon.tsx";
import { ReadOnlyNote } from "#web/ui/states/read-only.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { hasKey, platformForm } from "../platforms.ts";
import { PROXY_HINT, TELEGRAM_ACCOUNT_PROXY_HINT } from "../proxy-hints.ts";
import { useRemoveIntegration, useUpdateIntegration } from "../queries.ts";
import { useCheckIntegration, useSetProxy } from "./integration-queries.ts";
import { WebhookAddress } from "./webhook-address.tsx";

const ReplaceKey = lazy(() => import("./replace-key.tsx"));
const ProxyDialog = lazy(() => import("#web/parts/proxy/proxy-dialog.tsx"));
const CheckResult = lazy(() => import("../check-result.tsx"));

interface ConnectionCardProps {
  integration: Integration;
  readOnly: string | null;
}

export function ConnectionCard({ integration, readOnly }: ConnectionCardProps) {
  const { account, digitalTwinName, messagesHandled, createdAt, lastEvent, settings } = integration;
  const state = connectionState(integration);
  // Unknown values and events that have not happened are left out; «Последние диалоги» says that no contact has written.
  const rows = [
    ...(account ? [["Аккаунт", account]] : []),
    ["Двойник", digitalTwinName],
    ["Добавлена", formatMoment(createdAt)],
    ...(lastEvent ? [["Последнее сообщение", formatMoment(lastEvent)]] : []),
    ...(messagesHandled > 0 ? [["Отправлено ответов", String(messagesHandled)]] : []),
    ...(settings.proxy ? [["Соединение", `через ${settings.proxy}`]] : []),
  ];
  return (
    <Card aria-labelledby="connection">
      <CardHeader id="connection" lead title="Состояние" action={<Badge tone={state.tone}>{state.name}</Badge>} />
      <CardBody className="flex flex-col gap-5">
        <Why integration={integration} />
        <WebhookAddress entry={integration} />
        <dl className="grid grid-cols-1 gap-x-6 gap-y-3 text-md sm:grid-cols-[max-content_minmax(0,1fr)]">
          {rows.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-muted max-sm:-mb-2.5">{name}</dt>
              <dd className="tabular-nums [overflow-wrap:anywhere]">{value}</dd>
            </div>
          ))}
        </dl>
        {readOnly ? <ReadOnlyNote reason={readOnly} /> : <Acts integration={integration} />}
      </CardBody>
    </Card>
  );
}

function Why({ integration }: { integration: Integration }) {
  const { connection, trouble, limitation, statusReason, account, lastEvent } = integration;
  if (connection === "trouble") {
    return (
      <div className="grid gap-1 text-md">
        <p>{trouble}</p>
        <p className="text-muted">
          Сервер пробует снова сам, обычно раз в минуту.{" "}
          {account === null && lastEvent === null && "Связи ещё ни разу не было."}
        </p>
      </div>
    );
  }
  if (connection === "action") {
    const next = hasKey(integration) ? "Замените ключ: диалоги останутся." : "Исправьте и включите интеграцию снова.";
    return (
      <p className="text-md">
        {statusReason} {next}
      </p>
    );
  }
  if (connection === "paused")
    return <p className="text-md text-muted">Двойник здесь не получает и не отправляет сообщений.</p>;
  return limitation && <p className="text-md text-muted">{limitation}</p>;
}

function Acts({ integration }: { integration: Integration }) {
  const { id, status, platform, connection } = integration;
  const [removing, setRemoving] = useState(false);
  const [changingProxy, setChangingProxy] = useState(false);
  const [search] = useSearchParams();
  // «Заменить ключ» in the list leads directly to the field.
  const [key, setKey] = useState<"kept" | "asked" | "replaced">(
    search.get("key") === "new" && hasKey(integration) ? "asked" : "kept",
  );
  const [, go] = useLocation();
  const check = useCheckIntegration(id);
  const update = useUpdateIntegration();
  const remove = useRemoveIntegration();
  const setProxy = useSetProxy(id);
  const ofAccount = platform === "telegram" && !hasKey(integration);
  const active = status === "active";

  function toggle() {
    update.mutate(
      { id, status: active ? "inactive" : "active" },
      { onSuccess: () => toast({ title: active ? "Интеграция приостановлена" : "Интеграция включена" }) },
    );
  }

  const replaceKey = key !== "asked" && hasKey(integration) && (
    <Button
      variant={connection === "action" ? "primary" : "outline"}
      className="max-sm:w-full"
      onClick={() => setKey("asked")}
    >
      Заменить ключ
    </Button>
  );

  return (
    <div className="flex flex-col gap-3">
      {/* Actions that repair the connection come first; those that end it are separate. */}
      <div className="flex flex-wrap gap-2">
        {connection === "action" && replaceKey}
        <Button
          variant={connection === "trouble" ? "primary" : "outline"}
          className="max-sm:w-full"
          busy={check.isPending}
          onClick={() => check.mutate()}
        >
          Проверить соединение
        </Button>
        {connection !== "action" && replaceKey}
      </div>
      {key === "asked" && (
        <Suspense fallback={<LoadingStatus className="min-h-40">Загружаем поля...</LoadingStatus>}>
          <ReplaceKey
            integration={integration}
            onReplaced={() => {
              check.reset();
              setKey("replaced");
            }}
            onCancel={() => setKey("kept")}
          />
        </Suspense>
      )}
      <Suspense>
        {changingProxy && (
          <ProxyDialog
            of={integration.account ?? platformLabelOf(integration.platform)}
            current={integration.settings.proxy ?? null}
            hint={ofAccount ? TELEGRAM_ACCOUNT_PROXY_HINT : PROXY_HINT}
            ofAccount={ofAccount}
            save={setProxy}
            onChanged={() => check.reset()}
            onClose={() => setChangingProxy(false)}
          />
        )}
      </Suspense>
      {check.isPending || check.data ? (
        <Suspense fallback={null}>
          <CheckResult check={check.data} pending={check.isPending} />
        </Suspense>
      ) : (
        <p role="status" className="text-md text-muted">
          {key === "replaced" && afterReplacing(integration)}
        </p>
      )}
      <div className="flex flex-col gap-3 border-t pt-3 text-muted text-sm">
        {platformForm(platform)?.additional.includes("proxy") && (
          <div className="flex items-center justify-between gap-4">
            <p>Если платформа отсюда недоступна, соединяйтесь через посредника.</p>
            <Button size="sm" onClick={() => setChangingProxy(true)}>
              Прокси
            </Button>
          </div>
        )}
        <div className="flex items-center justify-between gap-4">
          <p>{active ? "На время: двойник здесь замолчит, настройки останутся." : "Двойник снова начнёт отвечать."}</p>
          <Button size="sm" busy={update.isPending} onClick={toggle}>
            {!update.isPending &&
              (active ? <Pause aria-hidden className="icon" /> : <Play aria-hidden className="icon" />)}
            {active ? "Приостановить" : "Включить"}
          </Button>
        </div>
        <div className="flex items-center justify-between gap-4">
          <p>Насовсем: ключи будут уничтожены, диалоги останутся.</p>
          <Button variant="danger" size="sm" onClick={() => setRemoving(true)}>
            Отключить
          </Button>
        </div>
      </div>
      <ConfirmDialog
        open={removing}
        onOpenChange={setRemoving}
        title="Отключить интеграцию?"
        description={`Двойник перестанет получать сообщения ${platformForm(platform)?.disconnected ?? "этого аккаунта"}, ключи будут уничтожены. Диалоги и импортированная переписка останутся.`}
        confirmLabel="Отключить"
        destructive
        busy={remove.isPending}
        onConfirm={() => remove.mutate(id, { onSuccess: () => go(paths.integrations) })}
      />
    </div>
  );
}

/** Live status: the page polls until the platform was reached with the new key. */
function afterReplacing({ connection, account }: Integration): string | null {
  if (connection === "connecting") return "Ключ принят, подключаемся…";
  if (connection === "connected") return `Снова работает: ${account}`;
  return connection === "paused" ? "Ключ заменён: интеграция заработает, когда вы её включите" : null;
}
