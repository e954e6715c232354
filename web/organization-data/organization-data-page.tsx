import { ConfirmIdentity } from "#web/account/confirm-identity.tsx";
import { Page } from "#web/shell/page.tsx";
import { OrganizationExportCard } from "./data-export-card.tsx";
import { DeleteAccountCard } from "./delete-account-card.tsx";
import { DeleteOrganizationCard } from "./delete-organization-card.tsx";
import { ModelRuleCard } from "./model-rule-card.tsx";

/** What becomes of the organisation's data: which models may read it, how it is taken out, and how it is deleted. */
export default function OrganizationDataPage() {
  return (
    <Page title="Данные организации" description="Где они обрабатываются, как их выгрузить и удалить">
      <div className="flex flex-col gap-6">
        <ModelRuleCard />
        <ConfirmIdentity>
          <OrganizationExportCard />
        </ConfirmIdentity>
        <DeleteOrganizationCard />
        <DeleteAccountCard />
      </div>
    </Page>
  );
}
