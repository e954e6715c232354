import { Link, useSearchParams } from "wouter";
import { paths } from "#web/paths.ts";
import { useSession } from "#web/session/session.tsx";
import { Page } from "#web/shell/page.tsx";
import { BackLink } from "#web/ui/back-link.tsx";
import { SampleBadge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { type AddressTabList, AddressTabs, useStandaloneTab } from "#web/ui/layout/address-tabs.tsx";
import { AnalyticsTab } from "./analytics-tab.tsx";
import { LettersNotice } from "./letters-notice.tsx";
import { OrganizationsTab } from "./organizations-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { PlatformLinks } from "./platform-links.tsx";
import { SubscriptionsTab } from "./subscriptions-tab.tsx";

const TABS: AddressTabList = [
  { id: "overview", label: "Обзор", content: () => <OverviewTab /> },
  { id: "organizations", label: "Организации", content: () => <OrganizationsTab /> },
  { id: "subscriptions", label: "Подписки", desktopOnly: true, content: () => <SubscriptionsTab /> },
  { id: "analytics", label: "Аналитика", desktopOnly: true, content: () => <AnalyticsTab /> },
];

export default function PlatformAdminPage() {
  const { user } = useSession();
  const lone = useStandaloneTab(TABS);
  const runsIt = user?.superAdmin === true;
  const [search] = useSearchParams();
  const isOverview = !TABS.slice(1).some(({ id }) => id === search.get("tab"));
  return (
    <Page
      title={lone?.label ?? "Супер-админ панель"}
      description="Организации, подписки и показатели платформы"
      // The overview shows this line between the platform's own totals and the samples.
      ownExamplesLine={runsIt && isOverview}
      actions={
        <Button asChild className="max-md:hidden">
          <Link href={paths.settings}>Ваши настройки</Link>
        </Button>
      }
    >
      {/* A phone's bar has space only for the title. */}
      <Button asChild size="sm" className="mb-3 self-start md:hidden">
        <Link href={paths.settings}>Ваши настройки</Link>
      </Button>
      {lone && <BackLink href={paths.admin}>Супер-админ панель</BackLink>}
      {runsIt && <LettersNotice />}
      {!runsIt && (
        <p role="note" className="mb-3 flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-sm">
          <SampleBadge />
          Настоящие данные видит администратор платформы.
        </p>
      )}
      <AddressTabs label="Разделы администрирования" tabs={TABS} />
      {runsIt && !lone && <PlatformLinks />}
    </Page>
  );
}
