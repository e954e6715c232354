import type { Twin } from "#contract/twins.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { TwinSubpage } from "#web/shell/twin-subpage.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { ReadOnlyNote } from "#web/ui/states/read-only.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { InventedMessages } from "./invented-messages.tsx";
import { PhrasesCard } from "./phrases-card.tsx";
import { useStyleSamples } from "./queries.ts";
import { SampleList } from "./sample-list.tsx";

export default function MannerPage() {
  return (
    <TwinSubpage title="Манера для всех" ownerOnly>
      {(twin) => <Content twin={twin} />}
    </TwinSubpage>
  );
}

function Content({ twin }: { twin: Twin }) {
  const query = useStyleSamples(twin.id);
  const readOnly = useReadOnly(twin);
  const { data } = query;
  if (data === undefined)
    return query.error ? (
      <ErrorCard title="Не удалось загрузить образцы" error={query.error} onRetry={() => void query.refetch()} />
    ) : (
      <LoadingStatus className="min-h-60">Загружаем образцы...</LoadingStatus>
    );
  return (
    <div className="flex flex-col gap-8">
      <p className="max-w-measure text-md text-muted">
        По&nbsp;этим образцам двойник пишет незнакомым: в&nbsp;них видна ваша манера и&nbsp;нет ничего личного, кроме
        того, что открыли вы сами.
      </p>
      {readOnly !== null && <ReadOnlyNote reason={readOnly} />}
      <div className="grid grid-cols-1 items-start gap-8 xl:grid-cols-2 xl:gap-x-10">
        <div className="flex min-w-0 flex-col gap-8">
          <InventedMessages twinId={twin.id} data={data} readOnly={readOnly} />
          <PhrasesCard twinId={twin.id} phrases={data.phrases ?? []} readOnly={readOnly} />
        </div>
        <SampleList twinId={twin.id} samples={data.samples} readOnly={readOnly} />
      </div>
    </div>
  );
}
