import { CircleAlert, CircleCheck, CircleDashed } from "lucide-react";
import type { CheckHop, CheckStep } from "#contract/integrations/connection-check.ts";

/** Results of the connection check in plain words, with advice for a failed hop; addresses and times are collapsed. */
export function CheckSteps({ steps }: { steps: readonly CheckStep[] }) {
  return (
    <>
      <ol aria-label="Путь до платформы" className="flex flex-col gap-2 text-md">
        {steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a check's steps never change their places.
          <li key={`${at} ${step.hop}`} className="flex items-start gap-3">
            {step.state === "ok" && <CircleCheck aria-hidden className="icon mt-0.5 shrink-0 text-success-text" />}
            {step.state === "failed" && <CircleAlert aria-hidden className="icon mt-0.5 shrink-0 text-danger-text" />}
            {step.state === "skipped" && <CircleDashed aria-hidden className="icon mt-0.5 shrink-0 text-muted" />}
            <div className="min-w-0 [overflow-wrap:anywhere]">
              <p
                className={
                  step.state === "failed" ? "text-danger-text" : step.state === "skipped" ? "text-muted" : undefined
                }
              >
                {inWords(step)}
              </p>
              {step.advice && <p className="text-muted">{step.advice}</p>}
            </div>
          </li>
        ))}
      </ol>
      {steps.some(({ state }) => state === "ok") && (
        <details className="text-muted text-sm">
          <summary className="w-fit rounded-sm">Адреса и время</summary>
          <ul className="mt-1 grid gap-1 tabular-nums [overflow-wrap:anywhere]">
            {steps.map(({ hop, text, milliseconds }, at) =>
              milliseconds === null ? null : (
                // biome-ignore lint/suspicious/noArrayIndexKey: a check's steps never change their places.
                <li key={`${at} ${hop}`}>
                  {text} · {seconds(milliseconds)}
                </li>
              ),
            )}
          </ul>
        </details>
      )}
    </>
  );
}

const MADE: Record<Exclude<CheckHop, "platform">, string> = {
  name: "Адрес сервера найден",
  tcp: "Сервер на связи",
  proxy: "Прокси соединяет с платформой",
  tls: "Соединение защищено",
};

function inWords({ hop, state, text }: CheckStep): string {
  if (state === "skipped") return `${text} — не проверялось`;
  return state === "ok" && hop !== "platform" ? MADE[hop] : text;
}

const seconds = (milliseconds: number): string =>
  milliseconds < 50 ? "сразу" : `${(milliseconds / 1000).toLocaleString("ru-RU", { maximumFractionDigits: 1 })} с`;
