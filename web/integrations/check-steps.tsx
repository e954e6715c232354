import { CircleAlert, CircleCheck, CircleDashed } from "lucide-react";
import type { CheckStep } from "#contract/integrations/connection-check.ts";

/** The way to the platform: what was made, what has failed and what to do about it, and how long each took. */
export function CheckSteps({ steps }: { steps: readonly CheckStep[] }) {
  return (
    <ol aria-label="Путь до платформы" className="flex flex-col gap-2 text-md">
      {steps.map(({ hop, state, text, advice, milliseconds }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a check's steps never change their places.
        <li key={`${at} ${hop}`} className="flex items-start gap-3">
          {state === "ok" && <CircleCheck aria-hidden className="icon mt-0.5 shrink-0 text-success-text" />}
          {state === "failed" && <CircleAlert aria-hidden className="icon mt-0.5 shrink-0 text-danger-text" />}
          {state === "skipped" && <CircleDashed aria-hidden className="icon mt-0.5 shrink-0 text-muted" />}
          <div className="min-w-0 [overflow-wrap:anywhere]">
            <p className={state === "failed" ? "text-danger-text" : state === "skipped" ? "text-muted" : undefined}>
              {text}
              {state === "skipped" && " — не проверялось"}
              {milliseconds !== null && <span className="text-sm text-subtle"> · {seconds(milliseconds)}</span>}
            </p>
            {advice && <p className="text-muted">{advice}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}

const seconds = (milliseconds: number): string =>
  milliseconds < 50 ? "сразу" : `${(milliseconds / 1000).toLocaleString("ru-RU", { maximumFractionDigits: 1 })} с`;
