import { lazy, Suspense } from "react";
import { useSearchParams } from "wouter";
import type { Twin } from "#contract/twins.ts";
import { BudgetCard } from "#web/parts/model-budget/budget-card.tsx";
import { useReadOnly } from "#web/session/read-only.ts";
import { TwinSubpage } from "#web/shell/twin-subpage.tsx";
import { ReadOnlyNote } from "#web/ui/states/read-only.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { KeysTab } from "./keys-tab.tsx";
import { WebhooksTab } from "./webhooks-tab.tsx";

const WidgetTab = lazy(() => import("./widget-tab.tsx"));

/** The chat widget, which every owner may want, and expert settings: API keys, webhooks and the cost of answers. */
export default function TwinAccessPage() {
  const [search] = useSearchParams();
  const tab = search.get("tab");
  if (tab === "widget")
    return <TwinSubpage title="Чат на сайте">{(twin) => <Access twin={twin} tab="widget" />}</TwinSubpage>;
  return (
    <TwinSubpage title="Для специалистов" expert>
      {(twin) => <Access twin={twin} tab={tab} />}
    </TwinSubpage>
  );
}

function Access({ twin, tab }: { twin: Twin; tab: string | null }) {
  const readOnly = useReadOnly(twin);
  if (readOnly !== null) return <ReadOnlyNote reason={readOnly} />;
  return (
    <div className="space-y-6">
      <Chosen twin={twin} tab={tab} />
    </div>
  );
}

function Chosen({ twin, tab }: { twin: Twin; tab: string | null }) {
  switch (tab) {
    case "widget":
      return (
        <Suspense fallback={<LoadingStatus className="min-h-80">Загрузка...</LoadingStatus>}>
          <WidgetTab twin={twin} />
        </Suspense>
      );
    case "webhooks":
      return <WebhooksTab twinId={twin.id} />;
    case "budget":
      return (
        <BudgetCard
          of={{ kind: "twin", id: twin.id }}
          may
          withoutModel="Двойник отвечает встроенным движком: он ничего не расходует, и лимита у него нет."
        />
      );
    default:
      return <KeysTab twinId={twin.id} />;
  }
}
