import { useMutation } from "@tanstack/react-query";
import { type AlertTest, type AlertWay, healthApi } from "#contract/health.ts";
import { call } from "#web/api/call.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card, CardBody, CardHeader } from "#web/ui/layout/card.tsx";
import { ErrorCard } from "#web/ui/states/error-card.tsx";
import { STATES } from "./health-states.ts";

const WAY_NAMES: Record<AlertWay, string> = { mail: "Почта", telegram: "Telegram" };
const WHERE: Record<AlertWay, string> = { mail: "на почту", telegram: "в Telegram" };

const Unset = STATES.unset.Icon;

/** Shows where alerts of the server's problems are sent, with a button that sends a test alert. */
export function AlertsCard({ ways }: { ways: readonly AlertWay[] }) {
  const trial = useMutation({ mutationFn: () => call(healthApi.testAlerts) });
  const none = ways.length === 0;
  return (
    <Card aria-labelledby="alerts" className="mt-4">
      <CardHeader
        id="alerts"
        title="Уведомления о сбоях"
        description={
          none
            ? "Сервер никому не сообщает о сбоях: задайте ALERT_EMAIL или ALERT_TELEGRAM_TOKEN и ALERT_TELEGRAM_CHAT"
            : `Сервер сообщает о сбоях ${ways.map((way) => WHERE[way]).join(" и ")}`
        }
        action={
          <div className="flex flex-wrap items-center gap-3">
            {none && (
              <Badge>
                <Unset aria-hidden className="icon size-4!" />
                {STATES.unset.word}
              </Badge>
            )}
            <Button
              busy={trial.isPending}
              whyNot={none ? "Уведомления не настроены" : null}
              onClick={() => trial.mutate()}
            >
              {trial.isPending ? "Отправка..." : "Проверить уведомления"}
            </Button>
          </div>
        }
      />
      {trial.isError && <ErrorCard title="Проверка не удалась" error={trial.error} />}
      <div role="status">{trial.data && <Results tests={trial.data} />}</div>
    </Card>
  );
}

function Results({ tests }: { tests: readonly AlertTest[] }) {
  return (
    <CardBody>
      <ul className="space-y-2 text-md">
        {tests.map(({ way, failure }) => (
          <li key={way}>
            <span className="font-medium">{WAY_NAMES[way]}:</span>{" "}
            {failure === null ? "отправлено" : <span className="text-danger-text">{failure}</span>}
          </li>
        ))}
      </ul>
    </CardBody>
  );
}
