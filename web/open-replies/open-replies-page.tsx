import type { Twin } from "#contract/twins.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { TwinSubpage } from "#web/shell/twin-subpage.tsx";
import { useSearchWords } from "#web/ui/layout/paged-list.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { OpenSection } from "./open-section.tsx";
import { ProposalsCard } from "./proposals-card.tsx";
import { useOpenReplies } from "./queries.ts";

export default function OpenRepliesPage() {
  return (
    <TwinSubpage title="Кому видны ваши ответы" ownerOnly expert>
      {(twin) => <Content twin={twin} />}
    </TwinSubpage>
  );
}

function Content({ twin }: { twin: Twin }) {
  const readOnly = useReadOnly(twin) !== null;
  const [words, search] = useSearchWords();
  // What is proposed is no matter of the search, during which its own call has none.
  const { data: all } = useOpenReplies(twin.id, "");
  const query = useOpenReplies(twin.id, words.trim());
  const { data } = query;
  if (!data || !all) {
    return query.error ? (
      <ErrorCard title="Не удалось загрузить ответы" error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <LoadingStatus className="min-h-60">Загружаем ответы...</LoadingStatus>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-6">
      <p className="max-w-measure text-md text-muted">
        Прошлый ответ видит тот, кому вы писали. Открытые ответы двойник говорит всем.
      </p>
      <ProposalsCard twinId={twin.id} proposals={all.proposals} total={all.counts.proposals} readOnly={readOnly} />
      <OpenSection twinId={twin.id} data={data} words={words} onSearch={search} readOnly={readOnly} />
    </div>
  );
}
