import { Link } from "wouter";
import { formatNumber, formatSize } from "#web/i18n/format.ts";
import { pluralForm } from "#web/i18n/plural.ts";
import { useLocalModels } from "#web/parts/local-models/queries.ts";
import { paths } from "#web/paths.ts";
import { useSession } from "#web/session/session.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { AdviceCard } from "./advice-card.tsx";
import { CatalogueCard } from "./catalogue-card.tsx";
import { InstalledModel } from "./installed-model.tsx";
import { OrganizationChoiceCard } from "./organization-choice-card.tsx";
import { OwnFileCard } from "./own-file-card.tsx";

/** Models that this server runs: which of them answers for the organisation, and, for whoever runs the server, which there are. */
export function LocalModelsSection() {
  const { user } = useSession();
  return (
    <>
      <OrganizationChoiceCard />
      {user?.runsInstallation && <ServerModels />}
    </>
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
      <Card aria-labelledby="installed-models">
        <CardHeader
          id="installed-models"
          title="Установленные модели"
          description={
            `На этом сервере: память ${formatSize(machine.memoryBytes)}, ` +
            `${formatNumber(machine.cores)} ${pluralForm(machine.cores, ["ядро", "ядра", "ядер"])}, ` +
            `на диске свободно ${formatSize(machine.diskBytes)}`
          }
        />
        {installed.length === 0 ? (
          <CardBody className="text-md">
            Пока ни одной, ответы пишет встроенный движок. Можно и{" "}
            <Link className="underline" href={`${paths.model}?tab=remote`}>
              подключить удалённую модель
            </Link>
            .
          </CardBody>
        ) : (
          <ul className="divide-y">
            {installed.map((model) => (
              <InstalledModel key={model.id} model={model} settled={settled.includes(model.kind)} />
            ))}
          </ul>
        )}
      </Card>
      <details>
        <summary className="w-fit rounded-sm font-medium text-md text-primary-text">Все модели</summary>
        <div className="mt-3">
          <CatalogueCard models={models} />
        </div>
      </details>
      <OwnFileCard />
    </>
  );
}
