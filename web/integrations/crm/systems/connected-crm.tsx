import { ExternalLink, Unplug } from "lucide-react";
import { useId, useState } from "react";
import { CRM_NAMES, type CrmConnection, crmApi } from "#contract/integrations/crm.ts";
import { formatDate } from "#web/i18n/format.ts";
import { ConnectionBadge } from "#web/parts/connection-badge.tsx";
import { useWhyNot } from "#web/session/read-only.ts";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { PlatformTile } from "#web/ui/platform-tile.tsx";
import { CardFigures } from "../card-figures.tsx";
import { useRemoveCrm } from "./crm-queries.ts";

export function ConnectedCrm({ connection, onSignIn }: { connection: CrmConnection; onSignIn: () => void }) {
  const id = useId();
  const mayNot = useWhyNot(crmApi.signIn);
  const { system, host, state, reason, cards, lastFailure, connectedAt } = connection;
  const broken = state === "broken";
  const trouble = reason ?? lastFailure;
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-8 gap-y-3 rounded-lg border bg-surface p-4 md:px-5">
      <div className="flex min-w-0 flex-1 basis-72 items-center gap-3">
        <PlatformTile platform={system} />
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h4 id={id} className="font-semibold truncate text-base">
              {CRM_NAMES[system]}
            </h4>
            <ConnectionBadge connection={broken ? "action" : "connected"} />
          </div>
          <p className="truncate text-muted text-sm" title={host}>
            {host}
          </p>
        </div>
      </div>
      <CardFigures
        figures={[
          ["Создано сделок", cards.made],
          ["В очереди", cards.waiting],
          ...(cards.failed > 0 ? [["Не приняты", cards.failed] as const] : []),
        ]}
      />
      <p className="w-44 text-sm text-subtle tabular-nums">Подключена {formatDate(connectedAt)}</p>
      <div className="flex flex-wrap gap-2 max-sm:w-full">
        {!broken && (
          <Button asChild size="sm" className="max-sm:flex-1" aria-describedby={id}>
            <a href={`https://${host}`} target="_blank" rel="noreferrer">
              Открыть {CRM_NAMES[system]}
              <ExternalLink aria-hidden className="icon" />
            </a>
          </Button>
        )}
        <Button
          variant={broken ? "primary" : "ghost"}
          size="sm"
          aria-describedby={id}
          whyNot={mayNot}
          onClick={onSignIn}
        >
          Подключить заново
        </Button>
        <Remove connection={connection} mayNot={mayNot} describedBy={id} />
      </div>
      {trouble && <p className="w-full text-md">{trouble}</p>}
    </li>
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
      <Button variant="danger" size="sm" aria-describedby={describedBy} whyNot={mayNot} onClick={() => setAsking(true)}>
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
