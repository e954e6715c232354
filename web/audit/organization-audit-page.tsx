import { Page } from "#web/shell/page.tsx";
import { AuditTab } from "./audit-tab.tsx";

/** Audit log of the caller's organisation. */
export default function OrganizationAuditPage() {
  return (
    <Page title="Журнал организации" description="Кто входил, что менял и что удалял">
      <AuditTab scope="organization" />
    </Page>
  );
}
