import { lazy, Suspense } from "react";
import { Link } from "wouter";
import { formatNumber } from "#web/i18n/format.ts";
import { pluralForm } from "#web/i18n/plural.ts";
import { formatSize } from "#web/i18n/size.ts";
import { useLocalModels } from "#web/parts/local-models/queries.ts";
import { paths } from "#web/paths.ts";
import { useSession } from "#web/session/session.tsx";
import { SettingsGroup } from "#web/ui/layout/settings-group.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { AdviceCard } from "./advice-card.tsx";
import { InstalledModel } from "./installed-model.tsx";
import { ModelCatalogue } from "./model-catalogue.tsx";
import { OrganizationChoice } from "./organization-choice.tsx";
import { OwnFile } from "./own-file.tsx";

const SharedExams = lazy(() => import("./shared-exams.tsx"));

export function LocalModelsSection() {
  const { user } = useSession();
  return (
    <div className="flex flex-col gap-6">
      <OrganizationChoice />
      {user?.superAdmin && (
        <>
          <ServerModels />
          <Suspense>
            <SharedExams />
          </Suspense>
        </>
      )}
    </div>
  );
}

function ServerModels() {
  const query = useLocalModels();
  const models = query.data;
  if (models === undefined) {
    if (query.isError)
      return <ErrorCard title="Не удалось загрузить модели" error={query.error} onRetry={() => void query.refetch()} />;
    return (
      <>
        <Skeleton className="h-40" />
        <Skeleton className="h-96" />
      </>
    );
  }
  const { machine, installed, settled } = models;
  return (
    <>
      <AdviceCard models={models} />
      <div>
        <SettingsGroup
          id="installed-models"
          title="Установленные модели"
          description={
            `На этом сервере: память ${formatSize(machine.memoryBytes)}, ` +
            `${formatNumber(machine.cores)} ${pluralForm(machine.cores, ["ядро", "ядра", "ядер"])}, ` +
            `на диске свободно ${formatSize(machine.diskBytes)}`
          }
        >
          {installed.length === 0 ? (
            <p className="text-md">
              Пока ни одной, ответы пишет встроенный движок. Можно и{" "}
              <Link className="underline" href={`${paths.model}?tab=remote`}>
                подключить удалённую модель
              </Link>
              .
            </p>
          ) : (
            <ul className="divide-y">
              {installed.map((model) => (
                <InstalledModel key={model.id} model={model} settled={settled.includes(model.kind)} />
              ))}
            </ul>
          )}
        </SettingsGroup>
        <details className="border-t py-6">
          <summary className="w-fit rounded-sm font-medium text-md text-primary-text">Все модели</summary>
          <div className="mt-4">
            <ModelCatalogue models={models} />
          </div>
        </details>
        <OwnFile />
      </div>
    </>
  );
}
