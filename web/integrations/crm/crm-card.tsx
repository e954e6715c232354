import { Database } from "lucide-react";
import { lazy, Suspense, useId, useState } from "react";
import { Link } from "wouter";
import { IntegrationPlatform, integrationsApi } from "#contract/integrations/integrations.ts";
import { knowledgeBaseApi } from "#contract/knowledge/knowledge-base.ts";
import { connectAccountPath } from "#web/integrations/connect-account.ts";
import { connectionText, nameOf, syncText } from "#web/integrations/shown-integration.ts";
import { ConnectionBadge } from "#web/parts/connection-badge.tsx";
import { isDisconnected } from "#web/parts/connection-states.ts";
import { useStartReimport } from "#web/parts/reimport/use-start-reimport.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { paths } from "#web/paths.ts";
import { useWhyNot } from "#web/session/read-only.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { PlatformTile } from "#web/ui/platform-tile.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { CardFigures } from "./card-figures.tsx";
import { type CrmEntry, isChannel } from "./crm-entry.ts";

const IntegrationDialog = lazy(() => import("#web/integrations/integration-dialog.tsx"));

/**
 * A CRM entry: in a wide list one line with name and state, figures and actions; in a narrower one the actions, and on a phone the
 * figures too, stand below the words. By the list's width, which is the container, because the sidebar takes a part of the window's.
 */
export const crmRow = {
  line: "flex flex-wrap items-start gap-x-4 gap-y-3 rounded-lg border bg-surface p-4 md:px-5",
  words: "min-w-0 flex-1 basis-48",
  figures: "me-4 @max-[46rem]:basis-full @max-[46rem]:ps-14",
  acts: "flex flex-wrap gap-2 @max-[46rem]:basis-full @max-[46rem]:ps-14 @min-[46rem]:w-56 @min-[46rem]:justify-end",
} as const;

const STATUS_NAMES = { connected: "Подключена", disconnected: "Отключена", error: "Ошибка" } as const;
const STATUS_TONES = { disconnected: "neutral", error: "danger" } as const;

export function CrmCard({ entry, isSample }: { entry: CrmEntry; isSample: boolean }) {
  const id = useId();
  const [configuring, setConfiguring] = useState(false);
  const { name, type, status, leads, deals, lastSync, updatedAt, integration } = entry;
  const reimport = useStartReimport();
  const twin = useTwins().data?.find((one) => one.id === integration.digitalTwinId);
  const mayNotSync = useWhyNot(knowledgeBaseApi.reimport, twin);
  const mayNotConfigure = useWhyNot(integrationsApi.update, twin);
  const trouble = integration.statusReason ?? integration.trouble;
  const isRetried = integration.connection === "trouble";
  const amiss = status === "connected" && isDisconnected(integration);
  const syncing = integration.reimport?.running ?? false;
  // Only an active account with a history can be imported again.
  const obstacle = integration.reimport?.obstacle ?? null;
  const explained = obstacle !== null && obstacle !== trouble;

  function sync() {
    if (isSample) {
      toast({
        title: "Ошибка переимпорта",
        description: "Это пример: сначала подключите свою систему",
        variant: "destructive",
      });
      return;
    }
    reimport.mutate(entry.id);
  }

  return (
    <li className={crmRow.line}>
      {IntegrationPlatform.safeParse(integration.platform).success ? (
        <PlatformTile platform={integration.platform} muted={isSample} />
      ) : (
        <span className="grid size-10 shrink-0 place-items-center rounded-md bg-hover text-muted">
          <Database aria-hidden className="icon" />
        </span>
      )}
      <div className={crmRow.words}>
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h4 id={id} className="font-semibold text-base [overflow-wrap:anywhere]">
            {name}
          </h4>
          <Badge tone={status === "connected" ? (amiss ? "neutral" : "success") : STATUS_TONES[status]}>
            {STATUS_NAMES[status]}
          </Badge>
          {/* Details that the specified status does not show. */}
          {amiss && <ConnectionBadge {...integration} />}
        </div>
        <p className="text-muted text-sm [overflow-wrap:anywhere]">
          <span lang="en">{type}</span>
          {!isSample && isChannel(entry) && ` · ${nameOf(integration)}`}
          {integration.digitalTwinName && ` · ${integration.digitalTwinName}`}
        </p>
        {trouble && (
          <p className="mt-1 max-w-measure text-md">
            {isRetried ? connectionText(integration) : trouble}{" "}
            {isRetried && !isSample && (
              <Link href={paths.integration(entry.id)} className="text-primary-text underline underline-offset-4">
                Проверить соединение
              </Link>
            )}
          </p>
        )}
        <p className="mt-1 text-sm text-subtle tabular-nums">
          {lastSync || !updatedAt ? `Синхронизация: ${syncText(lastSync)}` : `Обновлено: ${syncText(updatedAt)}`}
        </p>
      </div>
      <div className={crmRow.figures}>
        <CardFigures
          figures={[
            ["Лиды", leads],
            ["Сделки", deals],
          ]}
        />
      </div>
      <div className={crmRow.acts}>
        <Button
          lang="en"
          size="sm"
          title="Настроить"
          aria-describedby={id}
          className="max-sm:flex-1"
          whyNot={mayNotConfigure}
          onClick={() => setConfiguring(true)}
        >
          Configure
        </Button>
        <Button
          lang="en"
          aria-describedby={explained ? `${id} ${id}-obstacle` : id}
          size="sm"
          title="Синхронизировать сейчас"
          className="max-sm:flex-1"
          whyNot={mayNotSync}
          disabled={status !== "connected" || obstacle !== null}
          busy={reimport.isPending || syncing}
          onClick={sync}
        >
          Sync Now
        </Button>
        {explained && (
          <p id={`${id}-obstacle`} className="basis-full text-muted text-sm @min-[46rem]:text-end">
            {integration.isBot ? (
              <>
                <span lang="en">Sync Now</span> недоступна: у&nbsp;бота нет истории сообщений.{" "}
                <Link href={connectAccountPath} className="text-primary-text underline underline-offset-4">
                  Подключить личный аккаунт
                </Link>
              </>
            ) : (
              obstacle
            )}
          </p>
        )}
      </div>
      <Suspense>
        {configuring && (
          <IntegrationDialog
            entry={integration}
            name={name}
            isSample={isSample}
            onClose={() => setConfiguring(false)}
          />
        )}
      </Suspense>
    </li>
  );
}

export function CrmCardSkeleton() {
  return (
    <li aria-hidden className={crmRow.line}>
      <Skeleton className="size-10 rounded-md!" />
      <div className={crmRow.words}>
        <Skeleton className="my-1 h-4 w-24" />
        <Skeleton className="my-1 h-3.5 w-40" />
      </div>
      <Skeleton className="h-11 w-24" />
      <Skeleton className="h-8 w-44" />
    </li>
  );
}
