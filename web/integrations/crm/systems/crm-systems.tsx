import { Link2, Unplug } from "lucide-react";
import { lazy, Suspense, useId, useState } from "react";
import { CRM_NAMES, type CrmConnection, type CrmOverview, type CrmSystem, crmApi } from "#contract/integrations/crm.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { useWhyNot } from "#web/session/read-only.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { useCrm, useRemoveCrm } from "./crm-queries.ts";
import { TwinChoices } from "./twin-choices.tsx";
import { useCrmReturn } from "./use-crm-return.ts";

const SignInDialog = lazy(() => import("./sign-in-dialog.tsx"));

const ABOUT: Record<CrmSystem, string> = {
  amocrm: "Контакт и сделка на каждый диалог, на который ответил двойник",
  bitrix24: "Контакт и сделка на каждый диалог, на который ответил двойник",
};

/** The CRM systems that really get contacts and deals: signing in, what was made there, and whose conversations go where. */
export default function CrmSystems() {
  const id = useId();
  const { data, error, refetch } = useCrm();
  const ending = useCrmReturn();
  return (
    <Card aria-labelledby={id} className="mb-8">
      <CardHeader id={id} title="Передача в CRM" description="amoCRM и Битрикс24 подключаются входом в ваш аккаунт" />
      <CardBody className="flex flex-col gap-5">
        {ending && <LoadingStatus className="min-h-10">Завершаем подключение CRM...</LoadingStatus>}
        {data ? (
          <>
            <ul className="flex flex-col divide-y">
              {data.systems.map(({ system }) => (
                <SystemRow key={system} system={system} overview={data} />
              ))}
            </ul>
            {data.connections.length > 0 && <TwinChoices overview={data} />}
          </>
        ) : error ? (
          <ErrorCard title="Не удалось загрузить CRM" error={error} onRetry={() => void refetch()} />
        ) : (
          <LoadingStatus className="min-h-32">Загружаем CRM...</LoadingStatus>
        )}
      </CardBody>
    </Card>
  );
}

function SystemRow({ system, overview }: { system: CrmSystem; overview: CrmOverview }) {
  const id = useId();
  const [signingIn, setSigningIn] = useState(false);
  const mayNot = useWhyNot(crmApi.signIn);
  const connection = overview.connections.find((each) => each.system === system);
  const broken = connection?.state === "broken";
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-3 py-4 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-64">
        <h3 id={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 text-base">
          {CRM_NAMES[system]}
          {connection && <Badge tone={broken ? "danger" : "success"}>{broken ? "Нет доступа" : "Подключена"}</Badge>}
        </h3>
        {connection ? <Connected connection={connection} /> : <p className="text-md text-muted">{ABOUT[system]}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        {(!connection || broken) && (
          <Button aria-describedby={id} whyNot={mayNot} onClick={() => setSigningIn(true)}>
            <Link2 aria-hidden className="icon" />
            {broken ? "Подключить заново" : "Войти"}
          </Button>
        )}
        {connection && <Remove connection={connection} mayNot={mayNot} describedBy={id} />}
      </div>
      <Suspense>
        {signingIn && (
          <SignInDialog
            system={system}
            ready={overview.systems.some((each) => each.system === system && each.ready)}
            host={connection?.host ?? ""}
            redirectUrl={overview.redirectUrl}
            onClose={() => setSigningIn(false)}
          />
        )}
      </Suspense>
    </li>
  );
}

function Connected({ connection: { host, reason, cards, lastFailure } }: { connection: CrmConnection }) {
  const counts = [
    `Создано сделок: ${formatNumber(cards.made)}`,
    cards.waiting > 0 && `в очереди: ${formatNumber(cards.waiting)}`,
    cards.failed > 0 && `не приняты: ${formatNumber(cards.failed)}`,
  ];
  return (
    <>
      <p className="text-md text-muted [overflow-wrap:anywhere]">{host}</p>
      <p className="text-sm text-subtle tabular-nums">{counts.filter(Boolean).join(" · ")}</p>
      {(reason ?? lastFailure) && <p className="mt-1 text-danger-text text-sm">{reason ?? lastFailure}</p>}
    </>
  );
}

interface RemoveProps {
  connection: CrmConnection;
  mayNot: string | null;
  describedBy: string;
}

function Remove({ connection: { id, system }, mayNot, describedBy }: RemoveProps) {
  const [asking, setAsking] = useState(false);
  const remove = useRemoveCrm();
  return (
    <>
      <Button variant="danger" aria-describedby={describedBy} whyNot={mayNot} onClick={() => setAsking(true)}>
        <Unplug aria-hidden className="icon" />
        Отключить
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Отключить ${CRM_NAMES[system]}?`}
        description="Новые диалоги туда не попадут, ключи доступа будут уничтожены. Созданные контакты и сделки останутся в CRM; саму интеграцию можно удалить в её настройках."
        confirmLabel="Отключить"
        destructive
        busy={remove.isPending}
        onConfirm={() => remove.mutate(id, { onSuccess: () => setAsking(false) })}
      />
    </>
  );
}
