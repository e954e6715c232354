import { clsx } from "clsx";
import { useState } from "react";
import type { Twin } from "#contract/twins.ts";
import { useReadOnly } from "#web/session/read-only.ts";
import { TwinSubpage } from "#web/shell/twin-subpage.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { BlindTestCard } from "./blind-test-card.tsx";
import { FidelityCard } from "./fidelity-card.tsx";
import { FidelityHistory } from "./fidelity-history.tsx";
import { Measurements } from "./measurements.tsx";
import { PairsDownload } from "./pairs-download.tsx";
import { portraitOf } from "./portrait/portrait.ts";
import { PortraitSection } from "./portrait/portrait-section.tsx";
import { isAwaited, useMeasure, useQuality } from "./queries.ts";
import { SelfCard } from "./self/self-card.tsx";
import { WorstReplies } from "./worst-replies.tsx";

/** The page's grid: main text on the left, related content on the right. */
const COLUMNS = "grid grid-cols-1 gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]";

export default function QualityPage() {
  return (
    <TwinSubpage title="Качество двойника" ownerOnly>
      {(twin) => <Quality twin={twin} />}
    </TwinSubpage>
  );
}

function Quality({ twin }: { twin: Twin }) {
  const [since, setSince] = useState<number | null>(null);
  const query = useQuality(twin.id, since);
  const measure = useMeasure(twin.id, () => setSince(Date.now()));
  const whyReadOnly = useReadOnly(twin);
  const readOnly = whyReadOnly !== null;
  const { data } = query;
  if (!data) {
    return query.error ? (
      <ErrorCard
        title="Не удалось загрузить качество двойника"
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    ) : (
      <LoadingStatus className="min-h-80">Загружаем качество двойника...</LoadingStatus>
    );
  }
  const measuring = measure.isPending || isAwaited(data, since);
  const portrait = data.profile && portraitOf(data.profile, data.groups);
  // Only the first part of the page that lacks messages links to where they are added.
  const lacking = data.profile === null || Boolean(data.measure?.lacking);
  const figures = data.measure?.figures;
  const blindTest = (
    <BlindTestCard
      twinId={twin.id}
      tests={data.blindTests}
      ready={data.blindTestReady}
      measured={Boolean(figures)}
      readOnly={readOnly}
      lettersAsked={portrait === null || lacking}
    />
  );
  // A locked blind test that was never taken comes last.
  const locked = !data.blindTestReady && data.blindTests.length === 0 && !figures;
  return (
    <div className="flex flex-col gap-8">
      {data.profile && (
        <PortraitSection
          className={COLUMNS}
          twinId={twin.id}
          profile={data.profile}
          portrait={portrait}
          lettersAsked={lacking}
        />
      )}
      <SelfCard twinId={twin.id} readOnly={whyReadOnly} />
      <div className={locked && data.history.length === 0 ? "grid" : clsx(COLUMNS, figures && "items-start")}>
        <FidelityCard
          // On a phone the blind test follows the portrait.
          className="max-lg:order-last"
          twinId={twin.id}
          measure={data.measure}
          strangers={data.strangers ?? null}
          messages={data.profile?.messages ?? 0}
          failedAt={data.failedAt ?? null}
          measurable={data.profile !== null}
          measuring={measuring}
          readOnly={readOnly}
          onMeasure={() => measure.mutate()}
        />
        <div className="flex min-w-0 flex-col gap-8">
          {!locked && blindTest}
          <FidelityHistory history={data.history} />
        </div>
      </div>
      <WorstReplies twinId={twin.id} replies={data.worst} readOnly={readOnly} />
      {data.profile && data.profile.messages > 0 && <Measurements profile={data.profile} groups={data.groups} />}
      {locked && blindTest}
      {data.profile && data.profile.messages > 0 && <PairsDownload twinId={twin.id} />}
    </div>
  );
}
