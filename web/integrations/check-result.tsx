import type { IntegrationCheck } from "#contract/integrations/connection-check.ts";
import { CheckSteps } from "./check-steps.tsx";

export default function CheckResult({ check, pending }: { check: IntegrationCheck | undefined; pending: boolean }) {
  return (
    <div role="status" className="flex flex-col gap-3">
      {pending && <p className="text-md text-muted">Проверяем каждый участок пути: это до минуты…</p>}
      {!pending && check && (
        <>
          <p className={check.ok ? "text-md text-muted" : "text-danger-text text-md"}>{check.message}</p>
          {check.steps.length > 0 && <CheckSteps steps={check.steps} />}
        </>
      )}
    </div>
  );
}
