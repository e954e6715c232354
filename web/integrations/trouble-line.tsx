import { CircleCheck, TriangleAlert } from "lucide-react";
import { connectionState, isDisconnected } from "#web/parts/connection-states.ts";
import { useIntegrations } from "./queries.ts";
import { rowId } from "./row-id.ts";
import { nameOf } from "./shown-integration.ts";

/** Says over the wizard which integration has trouble and leads to its row. Its place is kept, so that nothing jumps when the list arrives. */
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
