import type { AccountSecurity } from "#contract/organizations/account.ts";
import { ConfirmIdentity } from "#web/parts/confirm-identity/confirm-identity.tsx";
import { AccountExportCard } from "#web/parts/records/data-export-card.tsx";
import { DeleteAccountCard } from "#web/parts/records/delete-account-card.tsx";
import { Page } from "#web/shell/page.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { ConsentsCard } from "./consents-card.tsx";
import { LettersCard, NoticesCard } from "./notices-card.tsx";
import { PasskeysCard } from "./passkeys-card.tsx";
import { PasswordCard } from "./password-card.tsx";
import { useSecurity } from "./queries.ts";
import { SecondFactorCard } from "./second-factor-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";

/** Security of the account: sign-in methods, sessions and notices. */
export default function AccountPage() {
  const query = useSecurity();
  return (
    <Page title="Безопасность аккаунта" description="Пароль, вход по коду, ключи доступа и устройства">
      <ConfirmIdentity>
        {query.data ? (
          <Cards security={query.data} />
        ) : query.error ? (
          <ErrorCard
            title="Не удалось загрузить настройки безопасности"
            error={query.error}
            onRetry={() => void query.refetch()}
          />
        ) : (
          <div role="status" className="flex flex-col gap-6">
            <span className="sr-only">Загрузка...</span>
            <Skeleton className="h-40" />
            <Skeleton className="h-40" />
            <Skeleton className="h-40" />
          </div>
        )}
      </ConfirmIdentity>
    </Page>
  );
}

function Cards({ security }: { security: AccountSecurity }) {
  return (
    <div className="flex flex-col gap-6">
      {!security.changeable && (
        <p role="status" className="rounded-lg border bg-info-soft p-4 text-info-text text-md">
          Это общий демонстрационный аккаунт: его защиту изменить нельзя. Зарегистрируйтесь, чтобы настроить свой.
        </p>
      )}
      <PasswordCard security={security} />
      <SecondFactorCard security={security} />
      <PasskeysCard security={security} />
      <SessionsCard />
      <NoticesCard />
      <LettersCard security={security} />
      <ConsentsCard consents={security.consents} />
      {security.changeable && <AccountExportCard />}
      {security.changeable && <DeleteAccountCard />}
    </div>
  );
}
