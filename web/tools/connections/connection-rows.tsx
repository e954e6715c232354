import { lazy, Suspense, useState } from "react";
import { Link } from "wouter";
import type { ToolConnection } from "#contract/actions/tool-connections.ts";
import type { Twin } from "#contract/twins.ts";
import { SYSTEM_PROXY_HINT } from "#web/parts/proxy/proxy-value.ts";
import { paths } from "#web/paths.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { connectionStates, offersText, removalText, serverName } from "./connection-words.ts";
import { NewKey } from "./new-key.tsx";
import {
  useConnections,
  useReadConnection,
  useRemoveConnection,
  useRenewConnection,
  useSetConnectionProxy,
} from "./queries.ts";

const ProxyDialog = lazy(() => import("#web/parts/proxy/proxy-dialog.tsx"));

/** The systems to which the twin's tools are connected; nothing where there are none. */
export function ConnectionRows({ twin }: { twin: Twin }) {
  const query = useConnections(twin.id);
  if (query.error && query.data === undefined)
    return (
      <ErrorCard title="Не удалось загрузить подключения" error={query.error} onRetry={() => void query.refetch()} />
    );
  if (query.data === undefined || query.data.length === 0) return null;
  return (
    <section aria-labelledby="tool-connections" className="mt-6">
      <h2 id="tool-connections" className="mb-3 text-base">
        Подключения
      </h2>
      <ul className="divide-y border-t">
        {query.data.map((connection) => (
          <Row key={connection.id} connection={connection} />
        ))}
      </ul>
    </section>
  );
}

function Row({ connection }: { connection: ToolConnection }) {
  const { id, twinId, url, proxy, state, failure } = connection;
  const isMcp = connection.kind === "mcp";
  const title = isMcp ? serverName(connection.title) : connection.title;
  const [read, remove] = [useReadConnection(), useRemoveConnection()];
  const [asking, setAsking] = useState(false);
  const [isChangingProxy, setChangingProxy] = useState(false);
  const setProxy = useSetConnectionProxy(id);
  const renew = useRenewConnection();
  const { name, tone } = connectionStates[state];
  const takesKey = state !== "ready" && isMcp && connection.auth === "header";
  const again = state === "sign-in" ? "Войти" : "Подключить снова";
  return (
    <li className="flex items-start justify-between gap-x-6 gap-y-3 py-4 max-sm:flex-col">
      <div className="min-w-0 max-w-measure [overflow-wrap:anywhere]">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="text-base">{title}</h3>
          <Badge tone={tone}>{name}</Badge>
        </div>
        <p className="mt-1 text-muted text-sm">
          {isMcp ? "MCP" : "CalDAV"} {url}
        </p>
        {proxy !== null && <p className="text-muted text-sm">Через {proxy}</p>}
        <p className="text-muted text-sm tabular-nums">{offersText(connection)}</p>
        {failure !== null && <p className="mt-1 text-md text-danger-text">{failure}</p>}
        {takesKey && <NewKey connection={connection} />}
      </div>
      <div className="flex shrink-0 flex-wrap items-center gap-2">
        {state === "ready" && (
          <>
            <Button asChild size="sm" className="min-h-9">
              <Link
                href={`${paths.twinTools(twinId)}?new=${isMcp ? "mcp" : "calendar"}&of=${encodeURIComponent(id)}`}
                aria-label={`Выбрать действие: ${title}`}
              >
                Выбрать действие
              </Link>
            </Button>
            {isMcp && (
              <Button
                size="sm"
                className="min-h-9"
                busy={read.isPending}
                disabled={read.isPending}
                aria-label={`Прочитать список снова: ${title}`}
                onClick={() =>
                  read.mutate(id, { onSuccess: () => toast({ title: "Список прочитан", description: title }) })
                }
              >
                Прочитать список снова
              </Button>
            )}
          </>
        )}
        {state !== "ready" && !isMcp && (
          <Button asChild size="sm" variant="primary" className="min-h-9">
            <Link href={`${paths.twinTools(twinId)}?new=calendar`} aria-label={`${again}: ${title}`}>
              {again}
            </Link>
          </Button>
        )}
        {state !== "ready" && isMcp && !takesKey && (
          <Button
            size="sm"
            variant="primary"
            className="min-h-9"
            busy={renew.isPending}
            aria-label={`${again}: ${title}`}
            onClick={() =>
              !renew.isPending &&
              renew.mutate({ id, renewal: { kind: "again" } }, { onError: toastError("Сервер не подключён") })
            }
          >
            {again}
          </Button>
        )}
        <Button
          size="sm"
          variant="ghost"
          className="min-h-9"
          aria-label={`Прокси: ${title}`}
          onClick={() => setChangingProxy(true)}
        >
          Прокси
        </Button>
        <Button
          size="sm"
          variant="ghost"
          className="min-h-9"
          aria-label={`Отключить: ${title}`}
          onClick={() => setAsking(true)}
        >
          Отключить
        </Button>
      </div>
      <Suspense>
        {isChangingProxy && (
          <ProxyDialog
            of={title}
            current={proxy}
            hint={SYSTEM_PROXY_HINT}
            save={setProxy}
            onClose={() => setChangingProxy(false)}
          />
        )}
      </Suspense>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Отключить «${title}»?`}
        description={removalText(connection)}
        confirmLabel="Отключить"
        destructive
        busy={remove.isPending}
        onConfirm={() => remove.mutate(id, { onSuccess: () => toast({ title: "Отключено", description: title }) })}
      />
    </li>
  );
}
