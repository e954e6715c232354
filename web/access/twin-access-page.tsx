import { ArrowLeft } from "lucide-react";
import { Link, useParams } from "wouter";
import type { Twin } from "#contract/twins.ts";
import { paths } from "#web/paths.ts";
import { useReadOnly } from "#web/read-only.ts";
import { Page } from "#web/shell/page.tsx";
import { TwinScreen } from "#web/twins/twin-screen.tsx";
import { AddressTabs } from "#web/ui/address-tabs.tsx";
import { Button } from "#web/ui/button.tsx";
import { ReadOnlyNote } from "#web/ui/read-only.tsx";
import { KeysTab } from "./keys-tab.tsx";
import { WebhooksTab } from "./webhooks-tab.tsx";
import { WidgetTab } from "./widget-tab.tsx";

/** How others reach the twin besides the platforms. */
export default function TwinAccessPage() {
  const { id = "" } = useParams();
  return (
    <Page title="Доступ к двойнику">
      <TwinScreen id={id}>{(twin) => <Access twin={twin} />}</TwinScreen>
    </Page>
  );
}

function Access({ twin }: { twin: Twin }) {
  const readOnly = useReadOnly(twin);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button asChild size="sm">
          <Link href={paths.twinSettings(twin.id)}>
            <ArrowLeft aria-hidden className="icon" />К настройкам
          </Link>
        </Button>
        <p className="min-w-0 text-md text-muted [overflow-wrap:anywhere]">{twin.name}</p>
      </div>
      {readOnly ? (
        <ReadOnlyNote reason={readOnly} />
      ) : (
        <AddressTabs
          label="Способы доступа"
          tabs={[
            { id: "keys", label: "Ключи API", content: () => <KeysTab twinId={twin.id} /> },
            { id: "widget", label: "Чат на сайте", content: () => <WidgetTab twinId={twin.id} /> },
            { id: "webhooks", label: "Вебхуки", content: () => <WebhooksTab twinId={twin.id} /> },
          ]}
        />
      )}
    </>
  );
}
