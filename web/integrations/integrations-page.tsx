import { Page } from "#web/shell/page.tsx";
import { StopButton } from "#web/shell/stop-button.tsx";
import { ActiveIntegrations } from "./active-integrations.tsx";
import { AddIntegrationLink } from "./add-integration-link.tsx";
import { SetupWizard } from "./setup/setup-wizard.tsx";
import { TroubleLine } from "./trouble-line.tsx";

export default function IntegrationsPage() {
  return (
    <Page
      title="Интеграции"
      description="Каналы двойников"
      actions={
        <>
          <StopButton />
          <AddIntegrationLink className="mx-1 max-md:hidden" />
        </>
      }
    >
      <div className="flex flex-col gap-8">
        <TroubleLine />
        <AddIntegrationLink className="md:hidden" />
        <SetupWizard />
        <ActiveIntegrations />
      </div>
    </Page>
  );
}
