import type { HealthProcess, ProcessRole } from "#contract/health.ts";
import { formatNumber, formatRecent } from "#web/i18n/format.ts";
import { formatSize } from "#web/i18n/size.ts";
import { StateBadge } from "#web/parts/health/health-states.tsx";
import { SettingsGroup } from "#web/ui/layout/settings-group.tsx";

const ROLE_NAMES: Record<ProcessRole, string> = {
  all: "Веб и фоновая работа",
  web: "Веб",
  worker: "Фоновая работа",
};

export function Processes({ processes }: { processes: readonly HealthProcess[] }) {
  return (
    <SettingsGroup id="processes" title="Процессы" description="Каждый сообщает о себе раз в 15 секунд">
      <ul className="divide-y">
        {processes.map((process) => (
          <ProcessLine key={process.id} process={process} />
        ))}
      </ul>
    </SettingsGroup>
  );
}

function ProcessLine({ process }: { process: HealthProcess }) {
  const { role, host, pid, version, startedAt, memoryBytes, delayMs, state, silentSeconds, answers } = process;
  const figures = [
    ["Версия", version],
    ["Работает с", formatRecent(startedAt)],
    ["Память", formatSize(memoryBytes)],
    ["Задержка", `${formatNumber(delayMs)}\u00a0мс`],
  ];
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-3 py-4 first:pt-0">
      <div className="min-w-0">
        <p className="font-medium text-md">{ROLE_NAMES[role]}</p>
        <p className="break-words text-muted text-sm">
          {host}, процесс&nbsp;{pid}
          {answers && ", показывает эту страницу"}
        </p>
      </div>
      <dl className="col-span-2 row-start-2 grid grid-cols-2 gap-x-4 gap-y-2 text-md sm:grid-cols-4">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="text-muted text-sm">{name}</dt>
            <dd className="tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <StateBadge state={state}>{silentSeconds !== null && `Молчит ${formatNumber(silentSeconds)}\u00a0с`}</StateBadge>
    </li>
  );
}
