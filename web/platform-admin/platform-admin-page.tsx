import { Activity, Cpu, ScrollText } from "lucide-react";
import { Link } from "wouter";
import { paths } from "#web/paths.ts";
import { useSession } from "#web/session/session.tsx";
import { Page } from "#web/shell/page.tsx";
import { Button } from "#web/ui/button.tsx";
import { AddressTabs } from "#web/ui/layout/address-tabs.tsx";
import { SampleNotice } from "#web/ui/states/sample-notice.tsx";
import { AnalyticsTab } from "./analytics-tab.tsx";
import { LettersNotice } from "./letters-notice.tsx";
import { OrganizationsTab } from "./organizations-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { SubscriptionsTab } from "./subscriptions-tab.tsx";

export default function PlatformAdminPage() {
  const { user } = useSession();
  return (
    <Page title="Администрирование платформы">
      {user && !user.superAdmin && (
        <div className="mb-6">
          <SampleNotice>Этот раздел работает для администратора платформы. Вам показаны примеры.</SampleNotice>
        </div>
      )}
      {user?.superAdmin && <LettersNotice />}
      <nav aria-label="Ещё о платформе" className="mb-4 flex flex-wrap gap-2">
        <Button size="sm" asChild>
          <Link href={paths.model}>
            <Cpu aria-hidden className="icon" />
            Модель
          </Link>
        </Button>
        <Button size="sm" asChild>
          <Link href={paths.platformAudit}>
            <ScrollText aria-hidden className="icon" />
            Журнал действий
          </Link>
        </Button>
        {user?.superAdmin && (
          <Button size="sm" asChild>
            <Link href={paths.platformHealth}>
              <Activity aria-hidden className="icon" />
              Состояние
            </Link>
          </Button>
        )}
      </nav>
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
