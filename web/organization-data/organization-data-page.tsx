import { Page } from "#web/shell/page.tsx";
import { DeleteAccountCard } from "./delete-account-card.tsx";
import { DeleteOrganizationCard } from "./delete-organization-card.tsx";
import { ModelRuleCard } from "./model-rule-card.tsx";

/** What becomes of the organisation's data: which models may read it, and how it is deleted. */
export default function OrganizationDataPage() {
  return (
    <Page title="Данные организации" description="Где они обрабатываются и как их удалить">
      <div className="flex flex-col gap-6">
        <ModelRuleCard />
        <DeleteOrganizationCard />
        <DeleteAccountCard />
      </div>
    </Page>
  );
}
