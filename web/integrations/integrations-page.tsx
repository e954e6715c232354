import { StopButton } from "#web/parts/stop-switch/stop-button.tsx";
import { Page } from "#web/shell/page.tsx";
import { ActiveIntegrations } from "./active-integrations.tsx";
import { SetupWizard } from "./setup/setup-wizard.tsx";

export default function IntegrationsPage() {
  return (
    <Page title="Интеграции" description="Подключите мессенджеры и почту к двойникам" actions={<StopButton />}>
      <div className="flex flex-col gap-8">
        <ActiveIntegrations />
        <SetupWizard />
      </div>
    </Page>
  );
}
