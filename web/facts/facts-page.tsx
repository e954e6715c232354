import type { Twin } from "#contract/twins.ts";
import { useReadOnly } from "#web/read-only.ts";
import { TwinSubpage } from "#web/twins/twin-subpage.tsx";
import { ErrorCard } from "#web/ui/error-card.tsx";
import { LoadingStatus } from "#web/ui/spinner.tsx";
import { FactsCard } from "./facts-card.tsx";
import { useChatFacts } from "./queries.ts";

/** What only the owner's letters know: proposed to him, and known to everybody once he has confirmed it. */
export default function FactsPage() {
  return (
    <TwinSubpage title="Факты из переписки" ownerOnly>
      {(twin) => <Content twin={twin} />}
    </TwinSubpage>
  );
}

function Content({ twin }: { twin: Twin }) {
  const readOnly = useReadOnly(twin) !== null;
  const query = useChatFacts(twin.id);
  if (query.data) return <FactsCard twinId={twin.id} data={query.data} readOnly={readOnly} />;
  return query.error ? (
    <ErrorCard title="Не удалось загрузить факты" error={query.error} onRetry={() => void query.refetch()} />
  ) : (
    <LoadingStatus className="min-h-60">Загружаем факты...</LoadingStatus>
  );
}
