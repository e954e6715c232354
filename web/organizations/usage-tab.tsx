import type { OrganizationUsage } from "#contract/organizations/organizations.ts";
import { planLimits } from "#web/display-values.ts";
import { formatDate, formatNumber } from "#web/i18n/format.ts";
import { formatSize } from "#web/i18n/size.ts";
import { BudgetCard } from "#web/parts/model-budget/budget-card.tsx";
import { useStorage } from "#web/parts/storage/queries.ts";
import { shownOrSample } from "#web/sample-data.ts";
import { useSession } from "#web/session/session.tsx";
import { SampleBadge } from "#web/ui/badge.tsx";
import { DayBars } from "#web/ui/figures/day-bars.tsx";
import { useExample } from "#web/ui/figures/examples.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { useUsage } from "./queries.ts";
import { sampleUsage } from "./samples.ts";
import { WITH_TESTS } from "./words.ts";

export function UsageTab() {
  const { data, isSample } = shownOrSample(useUsage(), sampleUsage);
  const { user } = useSession();
  useExample("пределы плана");
  const badge = isSample && <SampleBadge />;
  return (
    <>
      <PaperSection
        id="usage"
        title="Использование за месяц"
        description={data && `С ${formatDate(`${data.since}T00:00`)}`}
        action={badge}
      >
        {data ? <Meters usage={data} isSample={isSample} /> : <ComingMeters />}
      </PaperSection>
      {user?.organizationId && (
        <BudgetCard of={{ kind: "organization", id: user.organizationId }} may={user.role === "org_admin"} />
      )}
      {data && (
        <PaperSection id="usage-days" title="Сообщения по дням" action={badge}>
          {data.messages > 0 ? (
            <DayBars
              label="Сообщения по дням"
              days={data.daily.map(({ day, messages }) => ({ day, value: messages }))}
            />
          ) : (
            <p className="text-md text-muted">В этом месяце сообщений ещё не было.</p>
          )}
        </PaperSection>
      )}
    </>
  );
}

function Meters({ usage, isSample }: { usage: OrganizationUsage; isSample: boolean }) {
  // Uses the same source as «Занятое место» of the overview, so that both show the same figure.
  const { data: storage } = useStorage();
  const stored = isSample ? usage.storageBytes : (storage?.usedBytes ?? usage.storageBytes);
  const meters = [
    {
      label: "API-вызовы",
      about: "ответы, которые сформировали двойники",
      used: usage.apiCalls,
      limit: planLimits.apiCalls,
    },
    {
      label: "Сообщения",
      about: `обработанные двойниками, ${WITH_TESTS}`,
      used: usage.messages,
      limit: planLimits.messages,
    },
    {
      label: "Хранилище",
      about: "всё, что хранит организация",
      used: stored,
      text: formatSize(stored),
      limit: planLimits.storage,
    },
  ];
  return (
    <>
      <ul className="grid gap-6 lg:grid-cols-3">
        {meters.map(({ label, about, used, text, limit }) => (
          <li key={label}>
            <p className="flex items-baseline justify-between gap-3 text-md">
              <span className="font-medium">{label}</span>
              <span className="text-muted tabular-nums">
                <strong className="font-semibold text-fg">{text ?? formatNumber(used)}</strong> / {limit.text}
              </span>
            </p>
            <Progress className="mt-2" label={label} value={(used / limit.value) * 100} />
            <p className="mt-1.5 text-sm text-subtle">{about}</p>
          </li>
        ))}
      </ul>
      <dl className="mt-6 flex flex-wrap gap-x-8 gap-y-2 border-t pt-4 text-md">
        {[
          ["Двойники", usage.twins],
          ["Активные интеграции", usage.integrations],
        ].map(([term, value]) => (
          <div key={term} className="flex gap-2">
            <dt className="text-muted">{term}</dt>
            <dd className="font-medium tabular-nums">{formatNumber(Number(value))}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function ComingMeters() {
  return (
    <div role="status" className="grid gap-6 lg:grid-cols-3">
      <span className="sr-only">Загружаем использование...</span>
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
    </div>
  );
}
