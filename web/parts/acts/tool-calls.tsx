import { Link } from "wouter";
import type { ToolCall } from "#contract/actions/tool-call.ts";
import { paths } from "#web/paths.ts";
import { cameOf, lineOf, outcomeName } from "./act-words.ts";
import { NamedList } from "./named-list.tsx";

/** What was called for one answer, a line each that opens to its details. */
export default function ToolCalls({ calls }: { calls: readonly ToolCall[] }) {
  return (
    <ul aria-label="Действия" className="flex w-full min-w-0 flex-col gap-1 text-start">
      {calls.map((call, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the calls of one answer never change their order
        <li key={at} className="min-w-0">
          <Call call={call} />
        </li>
      ))}
    </ul>
  );
}

function Call({ call }: { call: ToolCall }) {
  const { actId, title, arguments: given, outcome, result, note } = call;
  return (
    <details className="max-w-measure text-muted text-sm">
      <summary className="w-fit max-w-full cursor-pointer rounded-sm py-1 [overflow-wrap:anywhere] hover:text-fg">
        Действие: {title}
        {given.length > 0 && ` · ${lineOf(given)}`}
        <span aria-hidden> → </span>
        <span className="sr-only">, итог: </span>
        <span className="font-medium text-fg">{cameOf(call)}</span>
      </summary>
      <div className="mt-1 flex flex-col gap-3 border-s-2 ps-3 text-fg">
        {given.length > 0 && <NamedList label="С чем вызвано" named={given} />}
        {result.length > 0 && (
          <div>
            <p className="mb-1 text-muted">Что ответила система</p>
            <NamedList label="Что ответила система" named={result} />
          </div>
        )}
        {(note !== null || result.length === 0) && (
          <p className="text-muted">{note ?? `Итог: ${outcomeName(outcome)}`}</p>
        )}
        {(outcome === "waiting-owner" || outcome === "unknown") && (
          <p>
            <Link href={actId === null ? paths.approvals : paths.waitingAct(actId)} className="underline">
              К&nbsp;тому, что ждёт вас
            </Link>
          </p>
        )}
        {outcome === "needs-model" && (
          <p>
            <Link href={paths.model} className="underline">
              Подключить модель
            </Link>
          </p>
        )}
      </div>
    </details>
  );
}
