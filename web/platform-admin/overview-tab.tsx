import { clsx } from "clsx";
import { ChartColumn, ReceiptText } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Link } from "wouter";
import { formatNumber } from "#web/i18n/format.ts";
import { DiskGroup } from "#web/parts/storage/disk-group.tsx";
import { paths } from "#web/paths.ts";
import { shownOrSample } from "#web/sample-data.ts";
import { useSession } from "#web/session/session.tsx";
import { ExamplesLine, useExample } from "#web/ui/figures/examples.tsx";
import { Progress } from "#web/ui/figures/progress.tsx";
import { StatCard } from "#web/ui/figures/stat-card.tsx";
import { useIsTabletOrWider } from "#web/ui/layout/address-tabs.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { type LinkRow, LinkRows } from "#web/ui/layout/link-rows.tsx";
import { SampleNotice } from "#web/ui/states/sample-notice.tsx";
import { LoadingStatus } from "#web/ui/states/spinner.tsx";
import { PlatformState } from "./platform-state.tsx";
import { usePlatformStats } from "./queries.ts";
import { sampleActivity, sampleHealth, sampleRevenue, sampleStats } from "./samples.ts";

export function OverviewTab() {
  const { data, isSample } = shownOrSample(usePlatformStats(), sampleStats);
  const runsIt = useSession().user?.superAdmin === true;
  useExample(runsIt ? "активность, состояние системы и выручка" : undefined);
  const figures = [
    ["Организации", data?.totalOrganizations],
    ["Пользователи", data?.totalUsers],
    ["Цифровые двойники", data?.totalDigitalTwins],
    ["Сообщения", data?.totalMessages],
  ] as const;
  return (
    <>
      {!data && <LoadingStatus className="sr-only">Загружаем итоги платформы...</LoadingStatus>}
      {isSample && runsIt && <SampleNotice>Так выглядят итоги платформы.</SampleNotice>}
      <section aria-label="Итоги платформы" className="grid grid-cols-2 gap-3 md:gap-4 lg:grid-cols-4">
        {figures.map(([label, value]) => (
          <StatCard key={label} label={label} value={formatNumber(value ?? 0)} loading={!data} />
        ))}
      </section>
      {runsIt && (
        <>
          <PlatformState />
          <DiskGroup />
          <ExamplesLine className="border-t pt-6" />
        </>
      )}
      <div className="grid grid-cols-1 gap-3 md:gap-4 lg:grid-cols-3">
        <SampleBlock title="Активность" real={{ to: paths.platformAudit, label: "Открыть журнал" }}>
          <ul className="space-y-2">
            {sampleActivity.map(({ text, when, tone }) => (
              <li key={text} className="flex items-baseline gap-2">
                <span aria-hidden className={clsx("size-2 shrink-0 rounded-full", dots[tone])} />
                <span className="min-w-0 flex-1">{text}</span>
                <span className="shrink-0 text-muted">{when}</span>
              </li>
            ))}
          </ul>
        </SampleBlock>
        <SampleBlock title="Состояние системы" real={{ to: paths.platformHealth, label: "Открыть состояние" }}>
          <ul className="space-y-2">
            {sampleHealth.map(({ name, value, share }) => (
              <li key={name} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-center gap-3">
                <span>{name}</span>
                <Progress label={name} value={share} />
                <span className="text-end tabular-nums">{value}</span>
              </li>
            ))}
          </ul>
        </SampleBlock>
        <SampleBlock title="Выручка" real={{ to: `${paths.admin}?tab=organizations`, label: "Открыть планы" }}>
          <dl className="space-y-2">
            {sampleRevenue.map(({ name, value }) => (
              <div key={name} className="flex justify-between gap-3">
                <dt>{name}</dt>
                <dd className="tabular-nums">{value}</dd>
              </div>
            ))}
          </dl>
        </SampleBlock>
      </div>
      {!useIsTabletOrWider() && <LinkRows rows={ON_PHONE} />}
    </>
  );
}

/** Links to the sections that have no tab on a phone. */
const ON_PHONE: LinkRow[] = [
  { to: `${paths.admin}?tab=subscriptions`, icon: ReceiptText, name: "Подписки", about: "Планы и их цены" },
  {
    to: `${paths.admin}?tab=analytics`,
    icon: ChartColumn,
    name: "Аналитика",
    about: "Сообщения и новые пользователи по дням",
  },
];

const dots = { success: "bg-success", info: "bg-info", warning: "bg-warning" } as const;

interface SampleBlockProps {
  title: string;
  /** Where a platform administrator finds the real data behind this sample. */
  real: { to: string; label: string };
  children: ReactNode;
}

function SampleBlock({ title, real, children }: SampleBlockProps) {
  const id = useId();
  const { user } = useSession();
  return (
    <Card aria-labelledby={id} className={clsx(user?.superAdmin && "border-dashed bg-transparent!")}>
      <CardHeader
        id={id}
        title={title}
        action={
          user?.superAdmin && (
            <Link href={real.to} className="text-primary-text text-sm underline underline-offset-4">
              {real.label}
            </Link>
          )
        }
      />
      <CardBody className="text-sm">{children}</CardBody>
    </Card>
  );
}
