import { Page } from "#web/shell/page.tsx";
import { AuditTab } from "./audit-tab.tsx";

/** Audit log of the whole platform. */
export default function PlatformAuditPage() {
  return (
    <Page title="Журнал платформы" description="Действия во всех организациях">
      <AuditTab scope="platform" />
    </Page>
  );
}
