import { useLanguage } from "#web/i18n/language.ts";
import { useSession } from "#web/session/session.tsx";
import { Page } from "#web/shell/page.tsx";
import { AddressTabs } from "#web/ui/layout/address-tabs.tsx";
import { SampleNotice } from "#web/ui/states/sample-notice.tsx";
import { AnalyticsTab } from "./analytics-tab.tsx";
import { LettersNotice } from "./letters-notice.tsx";
import { OrganizationsTab } from "./organizations-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { PlatformLinks, SettingsLinks } from "./settings-links.tsx";
import { SubscriptionsTab } from "./subscriptions-tab.tsx";

export default function PlatformAdminPage() {
  const { user } = useSession();
  const { t } = useLanguage();
  return (
    <Page title={t("nav.settings")} description="Ваши, организации и всей платформы">
      <SettingsLinks />
      <h2 className="mb-3 text-lg">Платформа</h2>
      {user && !user.superAdmin && (
        <div className="mb-4">
          <SampleNotice>Этот раздел работает для администратора платформы. Вам показаны примеры.</SampleNotice>
        </div>
      )}
      {user?.superAdmin && (
        <>
          <PlatformLinks />
          <LettersNotice />
        </>
      )}
      <AddressTabs
        label="Разделы администрирования"
        tabs={[
          { id: "overview", label: "Обзор", content: () => <OverviewTab /> },
          { id: "organizations", label: "Организации", content: () => <OrganizationsTab /> },
          { id: "subscriptions", label: "Подписки", desktopOnly: true, content: () => <SubscriptionsTab /> },
          { id: "analytics", label: "Аналитика", desktopOnly: true, content: () => <AnalyticsTab /> },
        ]}
      />
    </Page>
  );
}
