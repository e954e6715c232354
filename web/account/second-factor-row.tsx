import { lazy, Suspense, useEffect, useState } from "react";
import { type AccountSecurity, accountApi } from "#contract/organizations/account.ts";
import { call } from "#web/api/call.ts";
import { formatMoment } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { SettingRow } from "#web/ui/layout/settings-group.tsx";
import { ConfirmDialog } from "#web/ui/overlays/confirm-dialog.tsx";
import { useSensitive } from "./queries.ts";

const loadCodes = () => import("./recovery-codes.tsx");
const RecoveryCodesDialog = lazy(loadCodes);
const TotpDialog = lazy(() => import("./totp-dialog.tsx"));

export function SecondFactorRow({ security }: { security: AccountSecurity }) {
  const { enabledAt, recoveryCodesLeft } = security.totp;
  const [asking, setAsking] = useState<"off" | "codes">();
  const [secret, setSecret] = useState<{ secret: string; uri: string }>();
  const [codes, setCodes] = useState<string[]>();
  // Codes are shown only once, so the code that displays them is loaded before they are generated.
  useEffect(() => {
    if (asking === "codes" || secret) loadCodes().catch(() => undefined);
  }, [asking, secret]);
  const close = () => setAsking(undefined);
  const begin = useSensitive(() => call(accountApi.totp), { failure: "Не удалось включить вход по коду" });
  const off = useSensitive(() => call(accountApi.totpOff), {
    failure: "Не удалось отключить вход по коду",
    done: "Вход по коду отключён",
  });
  const renew = useSensitive(() => call(accountApi.recoveryCodes), { failure: "Не удалось создать коды" });
  return (
    <>
      <SettingRow
        id="second-factor"
        title="Вход по коду из приложения"
        badge={<Badge tone={enabledAt ? "success" : "neutral"}>{enabledAt ? "Включён" : "Выключен"}</Badge>}
        about="После пароля нужен код с вашего телефона: одного украденного пароля будет мало. Подойдёт любое приложение для одноразовых кодов."
        action={
          !enabledAt && (
            <Button busy={begin.isPending} onClick={() => begin.mutate(undefined, { onSuccess: setSecret })}>
              Включить вход по коду
            </Button>
          )
        }
      >
        {enabledAt && (
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
            <p className="text-md">
              Включён {formatMoment(enabledAt)}. Осталось{" "}
              {plural(recoveryCodesLeft, ["код восстановления", "кода восстановления", "кодов восстановления"])}.
            </p>
            <div className="flex flex-wrap gap-2">
              <Button onClick={() => setAsking("codes")}>Новые коды восстановления</Button>
              <Button variant="danger" onClick={() => setAsking("off")}>
                Отключить
              </Button>
            </div>
          </div>
        )}
      </SettingRow>
      <Suspense>
        {secret && (
          <TotpDialog
            {...secret}
            onClose={() => setSecret(undefined)}
            onEnabled={(made) => {
              setSecret(undefined);
              setCodes(made);
            }}
          />
        )}
      </Suspense>
      <Suspense>{codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}</Suspense>
      <ConfirmDialog
        open={asking === "off"}
        onOpenChange={close}
        title="Отключить вход по коду?"
        description="Войти можно будет по одному паролю. Коды восстановления перестанут действовать."
        confirmLabel="Отключить"
        destructive
        busy={off.isPending}
        onConfirm={() => off.mutate(undefined, { onSettled: close })}
      />
      <ConfirmDialog
        open={asking === "codes"}
        onOpenChange={close}
        title="Создать новые коды восстановления?"
        description="Прежние коды сразу перестанут действовать."
        confirmLabel="Создать"
        busy={renew.isPending}
        onConfirm={() =>
          renew.mutate(undefined, { onSuccess: (made) => setCodes(made.recoveryCodes), onSettled: close })
        }
      />
    </>
  );
}
