import { useState } from "react";
import { type AccountSession, accountApi } from "#contract/organizations/account.ts";
import { call } from "#web/api/call.ts";
import { formatMoment, formatRecent } from "#web/i18n/format.ts";
import { useSession } from "#web/session/session.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { SettingRow, SettingsGroup } from "#web/ui/layout/settings-group.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { endSessions, useSensitive, useSessions } from "./queries.ts";

export function SessionsGroup() {
  const query = useSessions();
  const { logout } = useSession();
  const [leaving, setLeaving] = useState<"others" | "all">();
  const close = () => setLeaving(undefined);
  const endOne = useSensitive((id: string) => call(accountApi.sessionEnd, { params: { id } }), {
    failure: "Не удалось завершить сеанс",
    done: "Сеанс завершён",
  });
  const endOthers = useSensitive(() => endSessions(false), {
    failure: "Не удалось завершить сеансы",
    done: "Вы вышли на всех остальных устройствах",
  });
  return (
    <SettingsGroup id="sessions" title="Устройства и сеансы" description="Где сейчас открыт ваш аккаунт">
      {query.data ? (
        <ul className="divide-y">
          {query.data.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              busy={endOne.isPending}
              end={() => endOne.mutate(session.id)}
            />
          ))}
        </ul>
      ) : query.error ? (
        <ErrorCard
          title="Не удалось загрузить сеансы"
          error={query.error}
          onRetry={() => void query.refetch()}
          className="border-0!"
        />
      ) : (
        <LoadingStatus className="p-5">Загружаем сеансы...</LoadingStatus>
      )}
      <SettingRow
        id="sign-out"
        title="Выход на всех устройствах"
        about="Если вход был не ваш или устройство потеряно"
        action={
          <div className="flex flex-wrap gap-2">
            {query.data && query.data.length > 1 && (
              <Button onClick={() => setLeaving("others")}>Выйти на остальных</Button>
            )}
            <Button variant="danger" onClick={() => setLeaving("all")}>
              Выйти везде
            </Button>
          </div>
        }
      />
      <ConfirmDialog
        open={leaving === "others"}
        onOpenChange={close}
        title="Выйти на остальных устройствах?"
        description="Этот сеанс останется. На других устройствах придётся войти заново."
        confirmLabel="Выйти"
        destructive
        busy={endOthers.isPending}
        onConfirm={() => endOthers.mutate(undefined, { onSettled: close })}
      />
      <ConfirmDialog
        open={leaving === "all"}
        onOpenChange={close}
        title="Выйти везде?"
        description="Завершатся все сеансы, и этот тоже: войти придётся заново на каждом устройстве."
        confirmLabel="Выйти на всех устройствах"
        destructive
        busy={endOthers.isPending}
        // Other sessions end first, because ending this one removes the right to end them.
        onConfirm={() => endOthers.mutate(undefined, { onSuccess: () => void logout(), onError: close })}
      />
    </SettingsGroup>
  );
}

function SessionRow({ session, busy, end }: { session: AccountSession; busy: boolean; end: () => void }) {
  const name = session.device ?? "Устройство неизвестно";
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-5 first:pt-0">
      <div className="min-w-0 flex-1 basis-56">
        <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-md">
          {name}
          {session.current && <Badge tone="success">Этот сеанс</Badge>}
        </h3>
        <p className="text-muted text-sm">
          {session.ip && `Адрес ${session.ip}, `}вход {formatMoment(session.createdAt)}
          {!session.current && `, последняя активность ${formatRecent(session.lastSeenAt)}`}
        </p>
      </div>
      {!session.current && (
        <Button size="sm" variant="danger" disabled={busy} aria-label={`Завершить: ${name}`} onClick={end}>
          Завершить
        </Button>
      )}
    </li>
  );
}
