import { KeyRound, Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { ApiKey } from "#contract/integrations/api-keys.ts";
import { formatDate, formatNumber, formatRecent } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { CopyBlock } from "./copy-block.tsx";
import { useKeys, useRevokeKey } from "./queries.ts";
import { scopeName } from "./scopes.ts";

const KeyDialog = lazy(() => import("./key-dialog.tsx"));

export function KeysTab({ twinId }: { twinId: string }) {
  const query = useKeys(twinId);
  const [making, setMaking] = useState(false);
  const [doomed, setDoomed] = useState<ApiKey>();
  const revoke = useRevokeKey(twinId);
  const keys = query.data?.keys;
  if (query.error && !query.data)
    return <ErrorCard title="Не удалось загрузить ключи" error={query.error} onRetry={() => void query.refetch()} />;
  const make = (
    <Button variant="primary" onClick={() => setMaking(true)}>
      <Plus aria-hidden className="icon" />
      Новый ключ
    </Button>
  );
  return (
    <>
      <Card aria-labelledby="keys">
        <CardHeader
          id="keys"
          title="Ключи API"
          description="Другие программы спрашивают двойника по ключу"
          action={keys?.length !== 0 && make}
        />
        {keys?.length === 0 && (
          <EmptyState
            icon={KeyRound}
            title="Ключей пока нет"
            description="Создайте ключ, чтобы подключить сайт, приложение или ИИ-помощника."
            action={make}
          />
        )}
        {!keys && <ComingKeys />}
        {keys && keys.length > 0 && (
          <ul className="divide-y">
            {keys.map((key) => (
              <KeyRow key={key.id} entry={key} onRevoke={() => setDoomed(key)} />
            ))}
          </ul>
        )}
      </Card>
      {query.data && <QuickStart model={query.data.model} />}
      <Suspense>{making && <KeyDialog twinId={twinId} onClose={() => setMaking(false)} />}</Suspense>
      <ConfirmDialog
        open={doomed !== undefined}
        onOpenChange={(open) => !open && setDoomed(undefined)}
        title="Отозвать ключ?"
        description={`${doomed?.name ?? ""}: программы с этим ключом сразу перестанут получать ответы. Вернуть ключ нельзя.`}
        confirmLabel="Отозвать"
        destructive
        busy={revoke.isPending}
        onConfirm={() => doomed && revoke.mutate(doomed.id, { onSuccess: () => setDoomed(undefined) })}
      />
    </>
  );
}

const STATES = {
  active: ["success", "Действует"],
  expired: ["warning", "Истёк"],
  revoked: ["neutral", "Отозван"],
} as const;
const moscowDay = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Moscow" });

function KeyRow({ entry, onRevoke }: { entry: ApiKey; onRevoke: () => void }) {
  const [tone, state] = STATES[entry.state];
  const today = entry.usage.find(({ day }) => day === moscowDay.format(new Date()));
  const week = entry.usage.reduce((sum, { messages }) => sum + messages, 0);
  return (
    <li className="flex flex-col gap-3 p-4 md:px-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="min-w-0 text-base [overflow-wrap:anywhere]">{entry.name}</h3>
        <Badge tone={tone}>{state}</Badge>
        <code className="font-mono text-muted text-sm">{entry.prefix}…</code>
        {entry.state !== "revoked" && (
          <Button
            variant="danger"
            size="sm"
            className="ms-auto"
            aria-label={`Отозвать: ${entry.name}`}
            onClick={onRevoke}
          >
            Отозвать
          </Button>
        )}
      </div>
      <p className="text-md text-muted">{entry.scopes.map(scopeName).join(" · ")}</p>
      {entry.state === "active" && (
        <div className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
          <Spent label="Сообщений сегодня" used={today?.messages ?? 0} limit={entry.dailyMessages} />
          <Spent label="Токенов сегодня" used={today?.tokens ?? 0} limit={entry.dailyTokens} />
        </div>
      )}
      <ul className="flex flex-wrap gap-x-4 text-sm text-subtle tabular-nums">
        <li>За 7 дней: {plural(week, ["сообщение", "сообщения", "сообщений"])}</li>
        <li>{entry.lastUsedAt ? `Последний вызов: ${formatRecent(entry.lastUsedAt)}` : "Ещё не использован"}</li>
        <li>{entry.expiresAt ? `Действует до ${formatDate(entry.expiresAt)}` : "Без срока"}</li>
        {entry.createdBy && <li>Создал: {entry.createdBy}</li>}
      </ul>
    </li>
  );
}

function Spent({ label, used, limit }: { label: string; used: number; limit: number }) {
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex justify-between gap-4 text-sm">
        <span className="text-muted">{label}</span>
        <span className="tabular-nums">
          {formatNumber(used)} из {formatNumber(limit)}
        </span>
      </p>
      <Progress value={Math.min(100, (used / limit) * 100)} label={label} />
    </div>
  );
}

function QuickStart({ model }: { model: string }) {
  const base = `${location.origin}/v1`;
  const example = [
    `curl ${base}/chat/completions`,
    '-H "Authorization: Bearer $TWIN_KEY"',
    '-H "Content-Type: application/json"',
    `-d '{"model": "${model}", "user": "client-42", "messages": [{"role": "user", "content": "Здравствуйте!"}]}'`,
  ].join(" \\\n  ");
  return (
    <Card aria-labelledby="quick-start">
      <CardHeader
        id="quick-start"
        title="Как подключиться"
        description="Подойдёт любая программа, которая умеет OpenAI API"
      />
      <CardBody className="flex flex-col gap-4">
        <dl className="grid grid-cols-1 items-baseline gap-x-6 gap-y-2 text-md sm:grid-cols-[max-content_minmax(0,1fr)]">
          <dt className="text-muted">Адрес (base URL)</dt>
          <dd className="font-mono text-sm [overflow-wrap:anywhere]">{base}</dd>
          <dt className="text-muted">Модель</dt>
          <dd className="font-mono text-sm [overflow-wrap:anywhere]">{model}</dd>
          <dt className="text-muted">MCP</dt>
          <dd className="font-mono text-sm [overflow-wrap:anywhere]">{`${location.origin}/mcp`}</dd>
        </dl>
        <CopyBlock label="Пример запроса" text={example} />
        <p className="text-md text-muted">
          В поле <code className="font-mono text-sm">user</code> передайте, кто спрашивает: у каждого будет свой диалог.
          Все вызовы и примеры на JavaScript и Python —{" "}
          <a
            href="/api/docs#v1"
            target="_blank"
            rel="noreferrer"
            className="whitespace-nowrap font-medium text-primary-text underline"
          >
            в описании API
          </a>
          .
        </p>
      </CardBody>
    </Card>
  );
}

function ComingKeys() {
  return (
    <div role="status" className="flex flex-col gap-3 p-4 md:px-5">
      <span className="sr-only">Загружаем ключи...</span>
      <Skeleton className="h-5 w-40" />
      <Skeleton className="h-4 w-64 max-w-full" />
      <Skeleton className="h-4 w-80 max-w-full" />
    </div>
  );
}
