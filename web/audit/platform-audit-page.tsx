import { paths } from "#web/paths.ts";
import { Page } from "#web/shell/page.tsx";
import { BackLink } from "#web/ui/back-link.tsx";
import { AuditTab } from "./audit-tab.tsx";

export default function PlatformAuditPage() {
  return (
    <Page title="Журнал платформы" description="Действия во всех организациях">
      <BackLink href={paths.admin}>Супер-админ панель</BackLink>
      <AuditTab scope="platform" />
    </Page>
  );
}
