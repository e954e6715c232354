import { clsx } from "clsx";
import { useLanguage } from "#web/i18n/language.ts";
import { paths } from "#web/paths.ts";
import { useSession } from "#web/session/session.tsx";
import { Page } from "#web/shell/page.tsx";
import { BackLink } from "#web/ui/back-link.tsx";
import { SampleBadge } from "#web/ui/badge.tsx";
import { type AddressTabList, AddressTabs, useLoneTab } from "#web/ui/layout/address-tabs.tsx";
import { AnalyticsTab } from "./analytics-tab.tsx";
import { LettersNotice } from "./letters-notice.tsx";
import { OrganizationsTab } from "./organizations-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { PlatformLinks, SettingsLinks } from "./settings-links.tsx";
import { SubscriptionsTab } from "./subscriptions-tab.tsx";

const TABS: AddressTabList = [
  { id: "overview", label: "Обзор", content: () => <OverviewTab /> },
  { id: "organizations", label: "Организации", content: () => <OrganizationsTab /> },
  { id: "subscriptions", label: "Подписки", desktopOnly: true, content: () => <SubscriptionsTab /> },
  { id: "analytics", label: "Аналитика", desktopOnly: true, content: () => <AnalyticsTab /> },
];

export default function PlatformAdminPage() {
  const { user } = useSession();
  const { t } = useLanguage();
  const lone = useLoneTab(TABS);
  const isExample = user?.superAdmin !== true;
  return (
    <Page title={lone?.label ?? t("nav.settings")} description="Ваши, организации и всей платформы">
      {lone ? <BackLink href={paths.admin}>Настройки</BackLink> : <SettingsLinks />}
      {/* Nothing in it is theirs: it comes last and recedes as a whole. */}
      <div className={clsx(isExample && "rounded-lg bg-sunken p-4 text-muted md:p-5", isExample && !lone && "mt-12")}>
        {isExample ? (
          <div role="note" className="mb-4 text-md">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <h2 className="text-md">Что видит администратор платформы</h2>
              <SampleBadge />
            </div>
            <p className="mt-1 text-sm">Вам показаны примеры: ваших данных и настроек здесь нет.</p>
          </div>
        ) : (
          !lone && (
            <>
              <h2 className="mb-3 text-lg">Платформа</h2>
              <PlatformLinks />
              <LettersNotice />
            </>
          )
        )}
        <AddressTabs label="Разделы администрирования" tabs={TABS} />
      </div>
    </Page>
  );
}
