import { lazy, Suspense } from "react";
import type { AccountSecurity } from "#contract/organizations/account.ts";
import { useLanguage } from "#web/i18n/language.ts";
import { ConfirmIdentity } from "#web/parts/confirm-identity/confirm-identity.tsx";
import { paths } from "#web/paths.ts";
import { Page } from "#web/shell/page.tsx";
import { BackLink } from "#web/ui/back-link.tsx";
import { SettingsGroup } from "#web/ui/layout/settings-group.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { ConsentsRow } from "./consents-row.tsx";
import { JumpList } from "./jump-list.tsx";
import { LookGroup } from "./look-group.tsx";
import { NoticesGroup } from "./notices-group.tsx";
import { NotificationsGroup } from "./notifications/notifications-group.tsx";
import { PasskeysRow } from "./passkeys-row.tsx";
import { PasswordRow } from "./password-row.tsx";
import { ProfileGroup } from "./profile-group.tsx";
import { useSecurity } from "./queries.ts";
import { SecondFactorRow } from "./second-factor-row.tsx";
import { SessionsGroup } from "./sessions-group.tsx";
import { useShownSection } from "./shown-section.ts";

// Loaded late, because they are at the end of the page, below the initial view.
const AccountExport = lazy(() =>
  import("#web/parts/records/data-export.tsx").then((module) => ({ default: module.AccountExport })),
);
const DeleteAccount = lazy(() => import("#web/parts/records/delete-account.tsx"));

export default function AccountPage() {
  const query = useSecurity();
  const { t } = useLanguage();
  return (
    <Page title={t("nav.account")} description="Имя, уведомления, вход и ваши данные">
      <BackLink href={paths.settings}>Ваши настройки</BackLink>
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
  { id: "sign-in", label: "Вход" },
  { id: "sessions", label: "Устройства" },
  { id: "notices", label: "События" },
  { id: "data", label: "Согласия и данные" },
];

const SECTION_IDS = SECTIONS.map(({ id }) => id);

function Sections({ security }: { security: AccountSecurity }) {
  const { shown, end } = useShownSection(SECTION_IDS);
  return (
    <>
      <JumpList sections={SECTIONS} shown={shown} />
      {!security.changeable && (
        <p role="status" className="mt-6 rounded-lg bg-info-soft px-4 py-3 text-info-text text-md md:px-5">
          Это общий демонстрационный аккаунт: его имя и защиту изменить нельзя. Зарегистрируйтесь, чтобы настроить свой.
        </p>
      )}
      <div className="mt-6 [&_h2]:scroll-mt-32">
        <ProfileGroup changeable={security.changeable} />
        <LookGroup />
        <NotificationsGroup />
        <SettingsGroup id="sign-in" title="Вход" description="Чем вы подтверждаете, что это вы">
          {security.changeable ? (
            <>
              <PasswordRow security={security} />
              <SecondFactorRow security={security} />
              <PasskeysRow security={security} />
            </>
          ) : (
            <p className="text-md text-muted">Пароль, вход по коду и ключи доступа настраиваются в своём аккаунте.</p>
          )}
        </SettingsGroup>
        <SessionsGroup />
        <NoticesGroup security={security} />
        <SettingsGroup id="data" title="Согласия и данные" description="Что вы приняли и что можно забрать с собой">
          <ConsentsRow consents={security.consents} />
          {security.changeable && (
            <Suspense fallback={<Skeleton className="h-40" />}>
              <AccountExport />
              <DeleteAccount />
            </Suspense>
          )}
        </SettingsGroup>
      </div>
      <div ref={end} aria-hidden className="h-px" />
    </>
  );
}
