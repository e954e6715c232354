import { useMutation } from "@tanstack/react-query";
import { type AlertTest, type AlertWay, healthApi } from "#contract/health.ts";
import { call } from "#web/api/call.ts";
import { StateBadge } from "#web/parts/health/health-states.tsx";
import { Variable } from "#web/parts/health/variable.tsx";
import { Button } from "#web/ui/button.tsx";
import { SettingsGroup } from "#web/ui/layout/settings-group.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { SettingLines } from "./setting-lines.tsx";

const WAY_NAMES: Record<AlertWay, string> = { mail: "Почта", telegram: "Telegram" };
const WHERE: Record<AlertWay, string> = { mail: "на почту", telegram: "в Telegram" };

/** Shows where alerts about the server's problems are sent, with a button that sends a test alert. */
export function Alerts({ ways }: { ways: readonly AlertWay[] }) {
  const trial = useMutation({ mutationFn: () => call(healthApi.testAlerts) });
  const none = ways.length === 0;
  return (
    <SettingsGroup
      id="alerts"
      title="Уведомления о сбоях"
      badge={<StateBadge state={none ? "unset" : "ok"}>{!none && "Настроены"}</StateBadge>}
    >
      {none ? (
        <>
          <p className="font-medium text-md">Сервер никому не&nbsp;сообщает о&nbsp;сбоях</p>
          <p className="mt-1 max-w-prose text-md text-muted">
            Укажите адрес почты (письма тогда должны уходить) и&nbsp;перезапустите. Или бота и&nbsp;чат Telegram:{" "}
            <Variable>ALERT_TELEGRAM_TOKEN</Variable> и&nbsp;<Variable>ALERT_TELEGRAM_CHAT</Variable>.
          </p>
          <SettingLines lines={["ALERT_EMAIL=вы@example.ru"]} />
        </>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <p className="min-w-0 flex-1 basis-64 text-md">
            {`Сервер сообщает о сбоях ${ways.map((way) => WHERE[way]).join(" и ")}`}
          </p>
          <Button busy={trial.isPending} onClick={() => trial.mutate()}>
            {trial.isPending ? "Отправка..." : "Проверить уведомления"}
          </Button>
        </div>
      )}
      {trial.isError && <ErrorCard title="Проверка не удалась" error={trial.error} />}
      <div role="status">{trial.data && <Results tests={trial.data} />}</div>
    </SettingsGroup>
  );
}

function Results({ tests }: { tests: readonly AlertTest[] }) {
  return (
    <ul className="mt-4 space-y-2 text-md">
      {tests.map(({ way, failure }) => (
        <li key={way}>
          <span className="font-medium">{WAY_NAMES[way]}:</span>{" "}
          {failure === null ? "отправлено" : <span className="text-danger-text">{failure}</span>}
        </li>
      ))}
    </ul>
  );
}
