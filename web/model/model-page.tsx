import { useSession } from "#web/session/session.tsx";
import { Page } from "#web/shell/page.tsx";
import { AddressTabs } from "#web/ui/layout/address-tabs.tsx";
import { LocalModelsSection } from "./local/local-models-section.tsx";
import { RemoteModelCard } from "./remote/remote-model-card.tsx";

/** Which model writes the replies of the organisation's twins. Whoever installs models has a long list of them: what is connected by address stands beside it. */
export default function ModelPage() {
  const { user } = useSession();
  return (
    <Page title="Модель" description="Чем двойники пишут ответы">
      {user?.runsInstallation ? (
        <AddressTabs
          label="Где работает модель"
          tabs={[
            { id: "here", label: "На этом сервере", content: () => <LocalModelsSection /> },
            { id: "remote", label: "Удалённая модель", content: () => <RemoteModelCard /> },
          ]}
        />
      ) : (
        <div className="flex flex-col gap-6">
          <LocalModelsSection />
          <RemoteModelCard />
        </div>
      )}
    </Page>
  );
}
