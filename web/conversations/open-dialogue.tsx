import { lazy, Suspense, useState } from "react";
import { ApiError } from "#web/api/api-error.ts";
import { Button } from "#web/ui/button.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { DialogueDetails } from "./details/dialogue-details.tsx";
import type { Dialogue } from "./dialogue.ts";
import { DialogueThread, SampleThread } from "./dialogue-thread.tsx";
import { useDialogue } from "./queries.ts";

const DetailsSheet = lazy(() => import("./details/details-sheet.tsx"));

interface OpenDialogueProps {
  id: string;
  /** The dialogue's row in the list, if it is loaded. */
  known: Dialogue | undefined;
  isSample: boolean;
  onLeave: () => void;
  onRemoved: () => void;
}

/** The dialogue that the address names: its thread, and its details beside it or in a sheet. */
export default function OpenDialogue({ id, known, isSample, onLeave, onRemoved }: OpenDialogueProps) {
  const alone = useDialogue(id, known === undefined && !isSample);
  const [detailed, setDetailed] = useState(false);
  const dialogue = known ?? alone.data;
  if (!dialogue) {
    if (!isSample && alone.isPending) return <LoadingStatus>Загружаем диалог...</LoadingStatus>;
    const gone = isSample || (alone.error instanceof ApiError && [400, 404].includes(alone.error.status));
    return gone ? (
      <EmptyState
        className="justify-center"
        title="Диалог не найден"
        action={<Button onClick={onLeave}>К списку диалогов</Button>}
      />
    ) : (
      <ErrorCard
        className="justify-center rounded-none! border-0!"
        title="Не удалось загрузить диалог"
        error={alone.error}
        onRetry={() => void alone.refetch()}
      />
    );
  }
  const Thread = isSample ? SampleThread : DialogueThread;
  const details = <DialogueDetails dialogue={dialogue} isSample={isSample} onRemoved={onRemoved} />;
  return (
    <div className="grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] lg:grid-cols-[minmax(0,1fr)_12rem] xl:grid-cols-[minmax(0,1fr)_18rem]">
      <Thread dialogue={dialogue} onLeave={onLeave} onDetails={() => setDetailed(true)} />
      <aside aria-label="О диалоге" className="min-h-0 overflow-y-auto border-s max-lg:hidden">
        {details}
      </aside>
      {detailed && (
        <Suspense>
          <DetailsSheet onClose={() => setDetailed(false)}>{details}</DetailsSheet>
        </Suspense>
      )}
    </div>
  );
}
