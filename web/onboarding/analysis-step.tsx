import { lazy, Suspense, useEffect, useState } from "react";
import type { ImportState } from "#contract/knowledge/imports.ts";
import type { Twin } from "#contract/twins.ts";
import { useExportUpload } from "#web/parts/imports/export-upload.ts";
import { ImportFile } from "#web/parts/imports/import-file.tsx";
import { ImportPreview } from "#web/parts/imports/import-preview.tsx";
import { ImportProgress } from "#web/parts/imports/import-progress.tsx";
import { ImportResult } from "#web/parts/imports/import-result.tsx";
import { isInProgress, useImport, useImports } from "#web/parts/imports/queries.ts";
import { useImportEnds } from "#web/parts/imports/use-import-ends.ts";
import { Button } from "#web/ui/button.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { BringHistory } from "./bring-history.tsx";
import { useDocumentUploads } from "./documents/document-uploads.ts";
import { DocumentUploadsList } from "./documents/document-uploads-list.tsx";
import { LearningProgress } from "./learning-progress.tsx";
import { ProgressLine } from "./progress-line.tsx";
import { useTrainingUntilReady } from "./queries.ts";
import { StepCard } from "./step-card.tsx";
import { type OnboardingAddress, sources } from "./use-onboarding-address.ts";

const SpeechPortrait = lazy(() => import("./portrait/speech-portrait.tsx"));

interface AnalysisStepProps extends Pick<OnboardingAddress, "source" | "importId" | "change"> {
  twin: Twin;
}

export function AnalysisStep({ twin, source, importId, change }: AnalysisStepProps) {
  const imports = useImports();
  useImportEnds(imports.data);
  const upload = useExportUpload();
  const listed = imports.data?.find(({ id }) => id === importId);
  const unfinished = imports.data?.find(
    (each) => each.digitalTwinId === twin.id && (isInProgress(each) || each.status === "preview"),
  )?.id;
  // A running import appears automatically: after the upload, after a reload, from another tab.
  useEffect(() => {
    if (importId === "" && unfinished) change({ import: unfinished });
  }, [importId, unfinished, change]);

  const imported = listed?.status === "done";
  const documents = useDocumentUploads(twin.id);
  const sendingDocuments = documents.some(({ status }) => status === "sending");
  const sentDocuments = !sendingDocuments && documents.some(({ status }) => status === "done");
  const since = Math.max(useMoment(imported), useMoment(sentDocuments));
  const training = useTrainingUntilReady(twin.id, since);
  const [adding, setAdding] = useState(false);
  const state = training.data;
  const known = sendingDocuments || sentDocuments || (state !== undefined && state.messages + state.chunks > 0);
  const ofDocuments = state === undefined ? documents.length > 0 : state.messages === 0 && known;
  const running = state?.running === true;
  // A training that starts closes the form for adding more data.
  useEffect(() => {
    if (running) setAdding(false);
  }, [running]);
  const bringing = importId === "" && !running && (!known || adding);
  const importing = importId !== "" && !imported;
  const failed = importing && (listed?.status === "failed" || listed?.status === "cancelled");
  const settled = !bringing && !importing && !sendingDocuments && training.settled;
  const ready = settled && state?.status === "ready";
  const sending = sendingDocuments || (upload !== null && upload.reason === undefined);
  const asks = importing && listed?.status === "preview";

  // A file's detected platform overrides the earlier choice.
  const recognised = sources.find((name) => listed?.format?.split("-")[0] === name);
  useEffect(() => {
    if (recognised && recognised !== source) change({ source: recognised });
  }, [recognised, source, change]);

  function addMore() {
    setAdding(true);
    change({ import: null });
  }

  return (
    <StepCard
      title="Анализ"
      description={saysOf(twin.name, { ready, sending, bringing, asks, failed, settled, ofDocuments })}
      actions={
        <Button
          variant={ready ? "primary" : asks ? "ghost" : "outline"}
          className="max-sm:w-full"
          onClick={() => change({ step: "3" }, { push: true })}
        >
          {ready ? "Продолжить" : "Пропустить пока"}
        </Button>
      }
      note={
        asks &&
        "«Отменить импорт» удалит файл, и его придётся загружать заново. «Пропустить пока» оставит его на сутки: выбор можно закончить здесь же или в «Обучении ИИ»."
      }
    >
      <ProgressLine>
        {progressOf({ ready, sending, bringing, importing, asks, failed, settled, ofDocuments })}
      </ProgressLine>
      {documents.length > 0 && <DocumentUploadsList uploads={documents} />}
      {imports.isError && !imports.data && (
        <ErrorCard title="Не удалось загрузить импорт" error={imports.error} onRetry={() => void imports.refetch()} />
      )}
      {bringing ? (
        <BringHistory twin={twin} source={source} change={change} />
      ) : importing ? (
        <OneImport id={importId} twin={twin} listed={listed} onAnother={() => change({ import: null })} />
      ) : training.isError && !state ? (
        <ErrorCard
          title="Не удалось загрузить ход обучения"
          error={training.error}
          onRetry={() => void training.refetch()}
        />
      ) : (
        <LearningProgress twin={twin} state={state} settled={settled} onMore={addMore} />
      )}
      {ready && !ofDocuments && (
        <Suspense fallback={<Skeleton className="h-64 w-full" />}>
          <SpeechPortrait twin={twin} />
        </Suspense>
      )}
    </StepCard>
  );
}

interface Moment {
  ready: boolean;
  sending: boolean;
  bringing: boolean;
  importing: boolean;
  asks: boolean;
  failed: boolean;
  settled: boolean;
  ofDocuments: boolean;
}

/** Current state of the step as an English label, as the specification requires. */
function progressOf({ ready, sending, bringing, importing, asks, failed, settled, ofDocuments }: Moment): string {
  if (ofDocuments && !bringing && !importing && (ready || !settled))
    return ready ? "Documents analyzed, the first answer is next..." : "Analyzing your documents...";
  if (bringing) return sending ? "Uploading your messages..." : "Waiting for your messages...";
  if (failed) return "Waiting for another file...";
  if (asks) return "Waiting for your choice...";
  if (importing) return "Importing your messages...";
  if (ready) return "Communication style analyzed, the first answer is next...";
  return settled ? "Waiting for more messages..." : "Analyzing your communication style...";
}

function saysOf(
  name: string,
  { ready, sending, bringing, asks, failed, settled, ofDocuments }: Omit<Moment, "importing">,
): string {
  if (ready && ofDocuments)
    return `Двойник «${name}» прочитал ваши документы и отвечает по ним. Вашу манеру он возьмёт из переписки, когда вы её дадите.`;
  if (ready) return `Двойник «${name}» прочитал вашу переписку. Вот как вы пишете.`;
  if (asks)
    return `Файл прочитан. Скажите, кто в нём вы и какие чаты взять: по ним двойник «${name}» изучит, как вы отвечаете.`;
  if (failed) return "Этот файл не подошёл. Дайте другой, и двойник прочитает его.";
  if (bringing && !sending)
    return `Двойнику «${name}» нужна ваша переписка или документы: дайте файл или вставьте текст.`;
  if (settled) return `Двойнику «${name}» пока нечему учиться: добавьте переписку.`;
  if (ofDocuments) return `Двойник «${name}» читает ваши документы.`;
  return `Двойник «${name}» читает вашу переписку и изучает, как вы отвечаете.`;
}

interface OneImportProps {
  id: string;
  twin: Twin;
  listed: ImportState | undefined;
  onAnother: () => void;
}

function OneImport({ id, twin, listed, onAnother }: OneImportProps) {
  const { data, error, refetch } = useImport(id, listed);
  if (!data) {
    return error ? (
      <div className="flex flex-col gap-4">
        <ErrorCard title="Не удалось загрузить импорт" error={error} onRetry={() => void refetch()} />
        <Button className="self-center" onClick={onAnother}>
          Загрузить другой файл
        </Button>
      </div>
    ) : null;
  }
  return (
    <div className="flex flex-col gap-5">
      <ImportFile state={data} />
      {isInProgress(data) ? (
        <ImportProgress state={data} />
      ) : data.status === "preview" ? (
        <ImportPreview state={data} twin={twin} />
      ) : (
        <ImportResult state={data} twin={twin} onAnother={onAnother} />
      )}
    </div>
  );
}

/** Time when `happened` first became true; 0 until then. */
function useMoment(happened: boolean): number {
  const [moment, setMoment] = useState(0);
  useEffect(() => {
    if (happened) setMoment(Date.now());
  }, [happened]);
  // Until the effect has stored the moment, no read counts as later.
  return happened && moment === 0 ? Number.POSITIVE_INFINITY : moment;
}
