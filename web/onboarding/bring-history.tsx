import { lazy, Suspense, useState } from "react";
import { Link } from "wouter";
import type { Twin } from "#contract/twins.ts";
import { ExportDrop } from "#web/parts/imports/export-drop.tsx";
import { StorageNotice } from "#web/parts/storage/storage-notice.tsx";
import { paths } from "#web/paths.ts";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { sendDocuments } from "./documents/document-uploads.ts";
import { DocumentsField } from "./documents/documents-field.tsx";
import { SourceChoice } from "./source-choice.tsx";
import type { OnboardingAddress } from "./use-onboarding-address.ts";

const ConversationForm = lazy(() =>
  import("#web/parts/conversation-upload/conversation-form.tsx").then(({ ConversationForm }) => ({
    default: ConversationForm,
  })),
);

interface BringHistoryProps extends Pick<OnboardingAddress, "source" | "change"> {
  twin: Twin;
}

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
          <ConversationForm
            key={source}
            twins={[twin]}
            twinId={twin.id}
            onTwin={() => {}}
            readOnly={null}
            within={{ platform: source }}
          />
        </Suspense>
      ) : (
        <ExportDrop kindsNamed twinId={twin.id} />
      )}
      <button
        type="button"
        className="self-start rounded-sm font-medium text-md text-primary-text underline-offset-4 hover:underline"
        onClick={() => setPasting(!pasting)}
      >
        {pasting ? "Загрузить файл выгрузки" : "Нет файла? Вставить переписку"}
      </button>
      <DocumentsField files={[]} onAdd={(files) => void sendDocuments(files, twin.id)} />
      <p className="text-md text-muted">
        Переписки под рукой нет?{" "}
        <Link href={paths.landing} className="rounded-sm font-medium text-primary-text hover:underline">
          Посмотрите, как отвечает готовый двойник
        </Link>
        .
      </p>
    </div>
  );
}
