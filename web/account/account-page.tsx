import { lazy, Suspense } from "react";
import type { AccountSecurity } from "#contract/organizations/account.ts";
import { useLanguage } from "#web/i18n/language.ts";
import { ConfirmIdentity } from "#web/parts/confirm-identity/confirm-identity.tsx";
import { Page } from "#web/shell/page.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { ConsentsCard } from "./consents-card.tsx";
import { JumpList } from "./jump-list.tsx";
import { LookCard } from "./look-card.tsx";
import { NoticesCard } from "./notices-card.tsx";
import { NotificationsCard } from "./notifications/notifications-card.tsx";
import { PasskeysCard } from "./passkeys-card.tsx";
import { PasswordCard } from "./password-card.tsx";
import { ProfileCard } from "./profile-card.tsx";
import { useSecurity } from "./queries.ts";
import { SecondFactorCard } from "./second-factor-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";
import { useShownSection } from "./shown-section.ts";

// The last things on the page, below everything that is shown at first.
const AccountExportCard = lazy(() =>
  import("#web/parts/records/data-export-card.tsx").then((module) => ({ default: module.AccountExportCard })),
);
const DeleteAccountCard = lazy(() => import("#web/parts/records/delete-account-card.tsx"));

/** The person's own page: who he is here, how the product looks to him and what it tells him, how he signs in, his data. */
export default function AccountPage() {
  const query = useSecurity();
  const { t } = useLanguage();
  return (
    <Page title={t("nav.account")} description="Имя, уведомления, вход и ваши данные">
      <ConfirmIdentity>
        {query.data ? (
          <Sections security={query.data} />
        ) : query.error ? (
          <ErrorCard
            title="Не удалось загрузить настройки аккаунта"
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

const SECTIONS = [
  { id: "profile", label: "Профиль" },
  { id: "look", label: "Язык и тема" },
  { id: "notifications", label: "Уведомления" },
  { id: "password", label: "Вход" },
  { id: "sessions", label: "Устройства" },
  { id: "notices", label: "События" },
  { id: "consents", label: "Согласия и данные" },
];

const SECTION_IDS = SECTIONS.map(({ id }) => id);

function Sections({ security }: { security: AccountSecurity }) {
  const { shown, end } = useShownSection(SECTION_IDS);
  return (
    <div className="flex flex-col gap-6 lg:flex-row lg:gap-10">
      <JumpList sections={SECTIONS} shown={shown} />
      <div className="flex min-w-0 flex-1 flex-col gap-8 max-lg:[&_h2]:scroll-mt-32">
        {!security.changeable && (
          <p role="status" className="rounded-lg border bg-info-soft p-4 text-info-text text-md">
            Это общий демонстрационный аккаунт: его имя и защиту изменить нельзя. Зарегистрируйтесь, чтобы настроить
            свой.
          </p>
        )}
        <ProfileCard changeable={security.changeable} />
        <LookCard />
        <NotificationsCard />
        <PasswordCard security={security} />
        <SecondFactorCard security={security} />
        <PasskeysCard security={security} />
        <SessionsCard />
        <NoticesCard security={security} />
        <ConsentsCard consents={security.consents} />
        {security.changeable && (
          <Suspense fallback={<Skeleton className="h-40" />}>
            <AccountExportCard />
            <DeleteAccountCard />
          </Suspense>
        )}
        <div ref={end} aria-hidden className="-mt-8 h-px" />
      </div>
    </div>
  );
}
