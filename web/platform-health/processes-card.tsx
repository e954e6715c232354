import type { HealthProcess, ProcessRole } from "#contract/health.ts";
import { formatNumber, formatRecent, formatSize } from "#web/i18n/format.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Card, CardHeader } from "#web/ui/layout/card.tsx";
import { STATES } from "./health-states.ts";

const ROLE_NAMES: Record<ProcessRole, string> = {
  all: "Веб и фоновая работа",
  web: "Веб",
  worker: "Фоновая работа",
};

/** All processes of the installation, whichever of them has answered. */
export function ProcessesCard({ processes }: { processes: readonly HealthProcess[] }) {
  return (
    <Card aria-labelledby="processes" className="mt-4">
      <CardHeader id="processes" title="Процессы" description="Каждый сообщает о себе раз в 15 секунд" />
      <ul className="divide-y">
        {processes.map((process) => (
          <ProcessLine key={process.id} process={process} />
        ))}
      </ul>
    </Card>
  );
}

function ProcessLine({ process }: { process: HealthProcess }) {
  const { role, host, pid, version, startedAt, memoryBytes, delayMs, state, silentSeconds, answers } = process;
  const { word, tone, Icon } = STATES[state];
  const figures = [
    ["Версия", version],
    ["Работает с", formatRecent(startedAt)],
    ["Память", formatSize(memoryBytes)],
    ["Задержка", `${formatNumber(delayMs)}\u00a0мс`],
  ];
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-3 px-4 py-3 md:px-5 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)_9rem] lg:items-center">
      <div className="min-w-0">
        <p className="font-medium text-md">{ROLE_NAMES[role]}</p>
        <p className="break-words text-muted text-sm">
          {host}, процесс&nbsp;{pid}
          {answers && ", показывает эту страницу"}
        </p>
      </div>
      <dl className="col-span-2 row-start-2 grid grid-cols-2 gap-x-4 gap-y-2 text-md sm:grid-cols-4 lg:col-span-1 lg:col-start-2 lg:row-start-1">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="text-muted text-sm">{name}</dt>
            <dd className="tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <Badge tone={tone} className="justify-self-end lg:col-start-3 lg:row-start-1">
        <Icon aria-hidden className="icon size-4!" />
        {silentSeconds === null ? word : `Молчит ${formatNumber(silentSeconds)}\u00a0с`}
      </Badge>
    </li>
  );
}
