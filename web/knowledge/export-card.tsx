import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { innerQuotes } from "#contract/inner-quotes.ts";
import type { ImportState } from "#contract/knowledge/imports.ts";
import { ApiError } from "#web/api/api-error.ts";
import { exportSource } from "#web/parts/conversation-upload/conversation-option-names.ts";
import { ImportFile } from "#web/parts/imports/import-file.tsx";
import { ImportPreview } from "#web/parts/imports/import-preview.tsx";
import { ImportProgress } from "#web/parts/imports/import-progress.tsx";
import { ImportResult } from "#web/parts/imports/import-result.tsx";
import { isInProgress, useImport } from "#web/parts/imports/queries.ts";
import type { TwinChoice } from "#web/parts/twins/twin-field.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { ReadOnly } from "#web/ui/states/read-only.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { ExportUpload } from "./export-upload-form.tsx";
import { ImportHistory } from "./import-history.tsx";

interface ExportCardProps extends TwinChoice {
  imports: UseQueryResult<ImportState[]>;
  shown: string;
  onShow: (id: string) => void;
}

export function ExportCard({ imports, shown, onShow, ...choice }: ExportCardProps) {
  const list = imports.data;
  const unfinished = list?.find(
    ({ digitalTwinId, ...state }) => digitalTwinId === choice.twinId && isUnfinished(state),
  );
  // A running import reappears on the screen automatically, and stays there when it ends.
  useEffect(() => {
    if (shown === "" && unfinished) onShow(unfinished.id);
  }, [shown, unfinished, onShow]);

  return (
    <div className="flex flex-col gap-4">
      <Card aria-labelledby="export">
        <CardHeader
          id="export"
          title="Файл выгрузки"
          lead
          // While an import is shown, it has its own description.
          description={shown === "" && "Вся история чатов разом: выгрузка из мессенджера, почты или рабочего чата."}
        />
        <CardBody className="flex flex-col gap-5">
          <ReadOnly reason={choice.readOnly}>
            {shown === "" ? (
              <ExportUpload {...choice} />
            ) : (
              <OneImport
                key={shown}
                id={shown}
                listed={list?.find(({ id }) => id === shown)}
                twins={choice.twins}
                onAnother={() => onShow("")}
              />
            )}
          </ReadOnly>
        </CardBody>
      </Card>
      {shown === "" && <ImportHistory imports={imports} twins={choice.twins} onShow={onShow} />}
    </div>
  );
}

const isUnfinished = (state: Pick<ImportState, "status">) => isInProgress(state) || state.status === "preview";

interface OneImportProps extends Pick<TwinChoice, "twins"> {
  id: string;
  listed: ImportState | undefined;
  onAnother: () => void;
}

function OneImport({ id, listed, twins, onAnother }: OneImportProps) {
  const { data, error, refetch } = useImport(id, listed);
  const heading = useRef<HTMLHeadingElement>(null);
  const status = data?.status;
  // The clicked button is gone with its step, so the focus moves to the top of the next one.
  useEffect(() => {
    if (status && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [status]);

  if (!data) {
    if (error instanceof ApiError && error.status === 404) {
      return <EmptyState title="Импорт не найден" action={<Button onClick={onAnother}>Загрузить файл</Button>} />;
    }
    return error ? (
      <ErrorCard title="Не удалось загрузить импорт" error={error} onRetry={() => refetch()} />
    ) : (
      <LoadingStatus className="py-10">Загрузка...</LoadingStatus>
    );
  }
  const twin = twins.find((each) => each.id === data.digitalTwinId);
  const about = [exportSource(data.format), twin && `для двойника «${innerQuotes(twin.name)}»`]
    .filter(Boolean)
    .join(" · ");
  return (
    <div className="flex flex-col gap-5">
      <ImportFile state={data} about={about} headingRef={heading} />
      <p role="status" className="sr-only">
        {stepNames[data.status]}
      </p>
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

const stepNames: Record<ImportState["status"], string> = {
  reading: "Файл читается",
  preview: "Файл прочитан: выберите чаты",
  running: "Импорт идёт",
  done: "Импорт завершён",
  failed: "Импорт не удался",
  cancelled: "Импорт отменён",
};
