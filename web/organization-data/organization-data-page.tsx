import { ConfirmIdentity } from "#web/parts/confirm-identity/confirm-identity.tsx";
import { OrganizationExportCard } from "#web/parts/records/data-export-card.tsx";
import DeleteAccountCard from "#web/parts/records/delete-account-card.tsx";
import { Page } from "#web/shell/page.tsx";
import { DeleteOrganizationCard } from "./delete-organization-card.tsx";
import { ModelRuleCard } from "./model-rule-card.tsx";

/** Data of the organisation: which models may read it, its export and its deletion. */
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
