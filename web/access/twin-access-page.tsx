import { lazy, Suspense } from "react";
import type { Twin } from "#contract/twins.ts";
import { BudgetCard } from "#web/parts/model-budget/budget-card.tsx";
import { useReadOnly } from "#web/session/read-only.ts";
import { TwinSubpage } from "#web/shell/twin-subpage.tsx";
import { AddressTabs } from "#web/ui/layout/address-tabs.tsx";
import { ReadOnlyNote } from "#web/ui/states/read-only.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { KeysTab } from "./keys-tab.tsx";
import { WebhooksTab } from "./webhooks-tab.tsx";

const WidgetTab = lazy(() => import("./widget-tab.tsx"));

/** Ways to reach a twin other than through platforms: API keys, webhooks and the chat widget. */
export default function TwinAccessPage() {
  return <TwinSubpage title="Доступ к двойнику">{(twin) => <Access twin={twin} />}</TwinSubpage>;
}

function Access({ twin }: { twin: Twin }) {
  const readOnly = useReadOnly(twin);
  if (readOnly !== null) return <ReadOnlyNote reason={readOnly} />;
  return (
    <AddressTabs
      label="Способы доступа"
      tabs={[
        { id: "keys", label: "Ключи API", content: () => <KeysTab twinId={twin.id} /> },
        {
          id: "widget",
          label: "Чат на сайте",
          content: () => (
            <Suspense fallback={<LoadingStatus className="min-h-80">Загрузка...</LoadingStatus>}>
              <WidgetTab twin={twin} />
            </Suspense>
          ),
        },
        { id: "webhooks", label: "Вебхуки", content: () => <WebhooksTab twinId={twin.id} /> },
        {
          id: "budget",
          label: "Расход",
          content: () => (
            <BudgetCard
              of={{ kind: "twin", id: twin.id }}
              may
              withoutModel="Двойник отвечает встроенным движком: он ничего не расходует, и лимита у него нет."
            />
          ),
        },
      ]}
    />
  );
}
