import { CircleCheck, TriangleAlert } from "lucide-react";
import { connectionState, isDisconnected } from "#web/parts/connection-states.ts";
import { useIntegrations } from "./queries.ts";
import { rowId } from "./row-id.ts";
import { nameOf } from "./shown-integration.ts";

/**
 * Names above the wizard the integration that has a problem and links to its row. Its space is reserved, so that nothing jumps when the
 * list loads.
 */
export function TroubleLine() {
  const entries = useIntegrations().data ?? [];
  const [first, ...others] = entries.filter(isDisconnected);
  return (
    <p className="-mb-3 flex min-h-6 items-start gap-2 text-md text-muted">
      {first ? (
        <>
          <TriangleAlert aria-hidden className="icon mt-0.5 text-danger-text" />
          <span className="min-w-0">
            <a
              href={`#${rowId(first.id)}`}
              className="font-medium text-fg underline underline-offset-4 [overflow-wrap:anywhere]"
            >
              {nameOf(first)}
            </a>
            : {connectionState(first).name.toLocaleLowerCase("ru-RU")}
            {others.length > 0 && `, ещё неполадок: ${others.length}`}
          </span>
        </>
      ) : (
        entries.length > 0 && (
          <>
            <CircleCheck aria-hidden className="icon mt-0.5 text-success-text" />
            Неполадок нет
          </>
        )
      )}
    </p>
  );
}
