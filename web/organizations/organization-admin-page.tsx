import { paths } from "#web/paths.ts";
import { useSession } from "#web/session/session.tsx";
import { Page } from "#web/shell/page.tsx";
import { BackLink } from "#web/ui/back-link.tsx";
import { type AddressTabList, AddressTabs, useStandaloneTab } from "#web/ui/layout/address-tabs.tsx";
import { SampleNotice } from "#web/ui/states/sample-notice.tsx";
import { BillingTab } from "./billing-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { useOrganizations } from "./queries.ts";
import { TwinsTab } from "./twins-tab.tsx";
import { UsageTab } from "./usage-tab.tsx";
import { UsersTab } from "./users-tab.tsx";

const TABS: AddressTabList = [
  { id: "overview", label: "Обзор", content: () => <OverviewTab /> },
  { id: "users", label: "Пользователи", content: () => <UsersTab /> },
  { id: "twins", label: "Двойники", desktopOnly: true, content: () => <TwinsTab /> },
  { id: "billing", label: "Оплата", desktopOnly: true, content: () => <BillingTab /> },
  { id: "usage", label: "Использование", desktopOnly: true, content: () => <UsageTab /> },
];

export default function OrganizationAdminPage() {
  const { user } = useSession();
  const name = useOrganizations().data?.find(({ current }) => current)?.name;
  const lone = useStandaloneTab(TABS);
  return (
    <Page title={lone?.label ?? "Организация"} description={name}>
      {lone && <BackLink href={paths.orgAdmin}>Организация</BackLink>}
      {user && user.role !== "org_admin" && (
        <div className="mb-6">
          <SampleNotice>
            Участников и счета видит администратор организации. Там, где для вас ничего нет, показаны примеры.
          </SampleNotice>
        </div>
      )}
      <AddressTabs label="Разделы организации" tabs={TABS} />
    </Page>
  );
}
