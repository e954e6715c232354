import { Database } from "lucide-react";
import { lazy, Suspense, useId, useState } from "react";
import { IntegrationPlatform, integrationsApi } from "#contract/integrations/integrations.ts";
import { knowledgeBaseApi } from "#contract/knowledge/knowledge-base.ts";
import { syncText } from "#web/integrations/shown-integration.ts";
import { ConnectionBadge } from "#web/parts/connection-badge.tsx";
import { useReimport } from "#web/parts/reimport/use-reimport.ts";
import { useTwins } from "#web/parts/twins/queries.ts";
import { useWhyNot } from "#web/session/read-only.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { PlatformTile } from "#web/ui/platform-tile.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { toast } from "#web/ui/toasts/toast.ts";
import { CardFigures } from "./card-figures.tsx";
import type { CrmEntry } from "./crm-entry.ts";

const IntegrationDialog = lazy(() => import("#web/integrations/integration-dialog.tsx"));

/** A system in one line at a desk: who it is, its figures, when, and what can be done. */
const frame = "flex min-w-0 flex-wrap items-center gap-x-8 gap-y-3 rounded-lg border p-4 md:px-5";
export const crmFrame = `${frame} bg-surface`;

export function CrmCard({ entry, isSample }: { entry: CrmEntry; isSample: boolean }) {
  const id = useId();
  const [configuring, setConfiguring] = useState(false);
  const { name, type, status, leads, deals, lastSync, updatedAt, integration } = entry;
  const reimport = useReimport();
  const twin = useTwins().data?.find((one) => one.id === integration.digitalTwinId);
  const mayNotSync = useWhyNot(knowledgeBaseApi.reimport, twin);
  const mayNotConfigure = useWhyNot(integrationsApi.update, twin);
  const trouble = integration.statusReason ?? integration.trouble;
  const syncing = integration.reimport?.running ?? false;
  // Only an active account with a history can be read again.
  const obstacle = integration.reimport?.obstacle ?? null;

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

  // A sample is no thing of one's own: it lies on the paper.
  return (
    <li className={isSample ? `${frame} border-dashed text-muted` : crmFrame}>
      <div className="flex min-w-0 flex-1 basis-72 items-center gap-3">
        {IntegrationPlatform.safeParse(integration.platform).success ? (
          <PlatformTile platform={integration.platform} muted={isSample} />
        ) : (
          <span className="grid size-10 shrink-0 place-items-center rounded-md bg-hover text-muted">
            <Database aria-hidden className="icon" />
          </span>
        )}
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h3 id={id} className="truncate text-base">
              {name}
            </h3>
            <ConnectionBadge {...integration} />
            {isSample && <Badge>Пример</Badge>}
          </div>
          <p className="text-muted text-sm">
            <span lang="en">{type}</span>
            {trouble && (
              <>
                {" · "}
                <span>{trouble}</span>
              </>
            )}
          </p>
        </div>
      </div>
      <CardFigures
        figures={[
          ["Лиды", leads],
          ["Сделки", deals],
        ]}
      />
      <p className="w-44 text-sm text-subtle tabular-nums">
        {lastSync || !updatedAt ? `Синхронизация: ${syncText(lastSync)}` : `Обновлено: ${syncText(updatedAt)}`}
      </p>
      <div className="flex flex-wrap gap-2 max-sm:w-full">
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
          aria-describedby={obstacle === null || obstacle === trouble ? id : `${id} ${id}-obstacle`}
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
      </div>
      {obstacle !== null && obstacle !== trouble && (
        <p id={`${id}-obstacle`} className="basis-full text-sm text-subtle">
          {obstacle}
        </p>
      )}
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

/** The card's own measures, before anything is known. */
export function CrmCardSkeleton() {
  return (
    <li aria-hidden className={crmFrame}>
      <div className="flex flex-1 basis-72 items-center gap-3">
        <Skeleton className="size-10 rounded-md!" />
        <div className="flex-1">
          <Skeleton className="my-1 h-4 w-24" />
          <Skeleton className="my-1 h-3.5 w-20" />
        </div>
      </div>
      <Skeleton className="h-11 w-40" />
      <Skeleton className="h-8 w-44" />
    </li>
  );
}
