import type { Twin } from "#contract/twins.ts";
import { foundInWords } from "#web/parts/facts/fact-words.ts";
import { FactsCard } from "#web/parts/facts/facts-card.tsx";
import { useChatFacts } from "#web/parts/facts/queries.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { TwinSubpage } from "#web/shell/twin-subpage.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { NoFacts } from "./no-facts.tsx";

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
  if (query.data) {
    const { counts, looking } = query.data;
    const none = { twinId: twin.id, total: counts.total, looking };
    return (
      <FactsCard
        title={foundInWords(counts.total)}
        twins={[{ twinId: twin.id, data: query.data }]}
        readOnly={readOnly}
        nothing={<NoFacts {...none} />}
        allDecided={<NoFacts bare {...none} />}
      />
    );
  }
  return query.error ? (
    <ErrorCard title="Не удалось загрузить факты" error={query.error} onRetry={() => void query.refetch()} />
  ) : (
    <LoadingStatus className="min-h-60">Загружаем факты...</LoadingStatus>
  );
}
