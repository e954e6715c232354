import { Link } from "wouter";
import type { Act } from "#contract/actions/acts.ts";
import { actStates, lineOf } from "#web/parts/acts/act-words.ts";
import { paths } from "#web/paths.ts";
import { Badge } from "#web/ui/badge.tsx";

/** What came of the act that was just decided on, until the next one. */
export function DecidedAct({ act: { title, state, result, reason, twinId, ownerQuestion } }: { act: Act }) {
  const { name, tone } = actStates[state];
  return (
    <p
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-sunken px-4 py-2.5 text-md [overflow-wrap:anywhere]"
    >
      <Badge tone={tone}>{name}</Badge>
      <span className="min-w-0 flex-1">
        {title}
        {result.length > 0 && (
          <span className="text-muted">
            : {ownerQuestion === null ? lineOf(result) : `ответ «${result.map(({ value }) => value).join(" ")}»`}
          </span>
        )}
        {result.length === 0 && reason !== null && <span className="text-muted">: {reason}</span>}
      </span>
      <Link href={`${paths.twinTools(twinId)}?tab=journal`} className="text-sm underline">
        Журнал
      </Link>
    </p>
  );
}
