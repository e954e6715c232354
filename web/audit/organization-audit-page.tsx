import { paths } from "#web/paths.ts";
import { Page } from "#web/shell/page.tsx";
import { BackLink } from "#web/ui/back-link.tsx";
import { AuditTab } from "./audit-tab.tsx";

export default function OrganizationAuditPage() {
  return (
    <Page title="Журнал действий" description="Кто входил, что менял и что удалял">
      <BackLink href={paths.orgAdmin}>Организация</BackLink>
      <AuditTab scope="organization" />
    </Page>
  );
}
