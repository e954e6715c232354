import { lazy, Suspense, useState } from "react";
import type { Twin } from "#contract/twins.ts";
import { ExportDrop } from "#web/knowledge/export-drop.tsx";
import { StorageNotice } from "#web/storage/storage-notice.tsx";
import { LoadingStatus } from "#web/ui/spinner.tsx";
import { SourceChoice } from "./source-choice.tsx";
import type { OnboardingAddress } from "./use-onboarding-address.ts";

const DialogueForm = lazy(() =>
  import("#web/knowledge/dialogue-form.tsx").then(({ DialogueForm }) => ({ default: DialogueForm })),
);

interface BringHistoryProps extends Pick<OnboardingAddress, "source" | "change"> {
  twin: Twin;
}

/** The chosen source's letters on their way: a messenger's export file, or pasted text. */
export function BringHistory({ twin, source, change }: BringHistoryProps) {
  const [pasting, setPasting] = useState(false);
  return (
    <div className="flex flex-col gap-5">
      <div>
        <StorageNotice className="mb-5" />
        <SourceChoice value={source} onChange={(next) => change({ source: next })} />
      </div>
      {pasting ? (
        <Suspense fallback={<LoadingStatus className="min-h-80">Загрузка...</LoadingStatus>}>
          <DialogueForm
            key={source}
            twins={[twin]}
            twinId={twin.id}
            onTwin={() => {}}
            readOnly={null}
            within={{ platform: source }}
          />
        </Suspense>
      ) : (
        <ExportDrop twinId={twin.id} />
      )}
      <button
        type="button"
        className="self-start rounded-sm font-medium text-md text-primary-text underline-offset-4 hover:underline"
        onClick={() => setPasting(!pasting)}
      >
        {pasting ? "Загрузить файл выгрузки" : "Нет файла? Вставить переписку"}
      </button>
    </div>
  );
}
