import { Link } from "wouter";
import type { OrganizationTwin } from "#contract/organizations/organizations.ts";
import { formatShortDate } from "#web/i18n/format.ts";
import { useLanguage } from "#web/i18n/language.ts";
import { plural } from "#web/i18n/plural.ts";
import { paths } from "#web/paths.ts";
import { isEmptyList, shownOrSample } from "#web/sample-data.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Badge, SampleBadge } from "#web/ui/badge.tsx";
import { MoreRows } from "#web/ui/layout/paged-list.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { useOrganizationTwins } from "./queries.ts";
import { sampleTwins } from "./samples.ts";
import { WITH_TESTS } from "./words.ts";

export function TwinsTab() {
  const twins = useOrganizationTwins();
  const { data, isSample } = shownOrSample(twins, sampleTwins, isEmptyList);
  return (
    <PaperSection
      id="organization-twins"
      title="Двойники организации"
      description={`Сообщения — ${WITH_TESTS}`}
      action={isSample && <SampleBadge />}
    >
      {data ? (
        <ul className="divide-y border-t">
          {data.map((twin) => (
            <li key={twin.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3.5">
              <Avatar name={twin.name} echo />
              <div className="min-w-0 flex-1 basis-48">
                {isSample ? (
                  <p className="truncate font-medium text-md">{twin.name}</p>
                ) : (
                  <Link
                    href={paths.twinSettings(twin.id)}
                    className="block truncate font-medium text-md hover:underline"
                  >
                    {twin.name}
                  </Link>
                )}
                <p className="truncate text-sm text-subtle">
                  {[twin.ownerName, `создан ${formatShortDate(twin.createdAt)}`].filter(Boolean).join(" · ")}
                </p>
              </div>
              <span className="text-md text-muted tabular-nums">
                {plural(twin.messages, ["сообщение", "сообщения", "сообщений"])}
              </span>
              <TwinStatus twin={twin} isSample={isSample} />
            </li>
          ))}
        </ul>
      ) : (
        <div role="status" className="space-y-4 border-t py-4">
          <span className="sr-only">Загружаем двойников...</span>
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
        </div>
      )}
      {!isSample && <MoreRows query={twins} />}
    </PaperSection>
  );
}

function TwinStatus({ twin, isSample }: { twin: OrganizationTwin; isSample: boolean }) {
  const { t, language } = useLanguage();
  const active = twin.isActive && twin.status === "ready";
  if (isSample) {
    return (
      <Badge lang="en" tone={active ? "success" : "info"}>
        {active ? "Active" : "Training"}
      </Badge>
    );
  }
  const training = twin.status === "training";
  return (
    <Badge lang={language} tone={training ? "info" : active ? "success" : "neutral"}>
      {t(training ? "status.training" : active ? "status.active" : "status.inactive")}
    </Badge>
  );
}
