import { Page } from "#web/shell/page.tsx";
import { AuditTab } from "./audit-tab.tsx";

/** What members of the viewer's organisation did. */
export default function OrganizationAuditPage() {
  return (
    <Page title="Журнал организации" description="Кто входил, что менял и что удалял">
      <AuditTab scope="organization" />
    </Page>
  );
}
