import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { type AccountSecurity, accountApi, type Passkey } from "#contract/organizations/account.ts";
import { platformApi } from "#contract/organizations/auth.ts";
import { call } from "#web/api/call.ts";
import { queryOf } from "#web/api/query.ts";
import { formatDate, formatRecent } from "#web/i18n/format.ts";
import { makePasskey } from "#web/session/passkey.ts";
import { passkeysWork } from "#web/session/passkeys-work.ts";
import { Button } from "#web/ui/button.tsx";
import { SettingRow } from "#web/ui/layout/settings-group.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { MissingRow } from "./missing-row.tsx";
import { passkeyObstacle } from "./passkey-obstacle.ts";
import { useSensitive } from "./queries.ts";

const PasskeyName = lazy(() => import("./passkey-name.tsx"));

export function PasskeysRow({ security }: { security: AccountSecurity }) {
  const config = useQuery(queryOf(platformApi.config)).data;
  const possible = passkeysWork(config?.passkeyHost);
  const [named, setNamed] = useState<Passkey | "new">();
  const [doomed, setDoomed] = useState<Passkey>();
  const close = () => setNamed(undefined);
  const add = useSensitive(
    async (name: string) => {
      const credential = await makePasskey(await call(accountApi.passkeyOptions));
      return call(accountApi.passkeyAdd, { input: { name, credential } });
    },
    { failure: "Не удалось добавить ключ доступа", done: "Ключ доступа добавлен" },
  );
  const rename = useSensitive(
    ({ id, name }: Pick<Passkey, "id" | "name">) => call(accountApi.passkeyRename, { params: { id }, input: { name } }),
    { failure: "Не удалось переименовать ключ доступа" },
  );
  const remove = useSensitive((id: string) => call(accountApi.passkeyRemove, { params: { id } }), {
    failure: "Не удалось удалить ключ доступа",
    done: "Ключ доступа удалён",
  });
  if (security.passkeys.length === 0 && config !== undefined && !possible) {
    return (
      <MissingRow id="passkeys" title="Ключи доступа">
        {passkeyObstacle(config.passkeyHost)}
      </MissingRow>
    );
  }
  return (
    <>
      <SettingRow
        id="passkeys"
        title="Ключи доступа"
        about="Вход отпечатком, лицом или PIN-кодом устройства, без пароля. Ключ хранится в вашем телефоне или компьютере и не подходит к поддельным сайтам."
        action={
          possible && (
            <Button onClick={() => setNamed("new")}>
              <Plus aria-hidden className="icon" />
              Добавить ключ
            </Button>
          )
        }
      >
        {security.passkeys.length === 0 ? (
          <p className="text-md text-muted">Ключей доступа пока нет</p>
        ) : (
          <ul className="divide-y">
            {security.passkeys.map((key) => (
              <li key={key.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
                <div className="min-w-0 flex-1 basis-56">
                  <h4 className="font-medium text-md [overflow-wrap:anywhere]">{key.name}</h4>
                  <p className="text-muted text-sm">
                    Добавлен {formatDate(key.createdAt)},{" "}
                    {key.lastUsedAt ? `последний вход ${formatRecent(key.lastUsedAt)}` : "ещё не использован"}
                  </p>
                </div>
                <Button size="sm" aria-label={`Переименовать: ${key.name}`} onClick={() => setNamed(key)}>
                  Переименовать
                </Button>
                <Button size="sm" variant="danger" aria-label={`Удалить: ${key.name}`} onClick={() => setDoomed(key)}>
                  Удалить
                </Button>
              </li>
            ))}
          </ul>
        )}
      </SettingRow>
      <Suspense>
        {named && (
          <PasskeyName
            of={named}
            busy={add.isPending || rename.isPending}
            onClose={close}
            onSubmit={(name) =>
              named === "new"
                ? add.mutate(name, { onSuccess: close })
                : rename.mutate({ id: named.id, name }, { onSuccess: close })
            }
          />
        )}
      </Suspense>
      <ConfirmDialog
        open={doomed !== undefined}
        onOpenChange={(open) => !open && setDoomed(undefined)}
        title="Удалить ключ доступа?"
        description={`${doomed?.name ?? ""}: войти с ним больше не получится. На самом устройстве удалите его в настройках паролей.`}
        confirmLabel="Удалить"
        destructive
        busy={remove.isPending}
        onConfirm={() => doomed && remove.mutate(doomed.id, { onSettled: () => setDoomed(undefined) })}
      />
    </>
  );
}
