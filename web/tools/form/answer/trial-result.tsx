import { type ReactNode, useState } from "react";
import type { ToolTrial } from "#contract/actions/tools.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { outcomeName } from "#web/parts/acts/act-words.ts";
import { NamedList } from "#web/parts/acts/named-list.tsx";
import type { ToolKind } from "../form-values.ts";
import { isFailed, type Learned } from "./trial-outcome.ts";

interface TrialResultProps {
  kind: ToolKind;
  result: ToolTrial;
  /** What the asker would learn by what is chosen now; null: what the trial found. */
  learned: Learned | null;
  /** How the answer of a system is shown, so that its places can be chosen. */
  children?: ReactNode;
}

/** What was sent, what came, and what the asker would learn. What only programmers read is folded. */
export function TrialResult({ kind, result, learned, children }: TrialResultProps) {
  const { call, request, status, answer, durationMs } = result;
  const { lines, note } = learned ?? { lines: call.result, note: null };
  const isDry = call.outcome === "dry";
  const failed = isFailed(result);
  const said = [call.note, note].filter((one) => one !== null);
  // The owner of a calendar or of a CRM knows the values, not the protocol.
  const isForProgrammer = kind === "http" || kind === "mcp" || kind === "question";
  // Decided once for each trial, so that the answer does not fold under the hand that chooses in it.
  const [isChosen] = useState(learned !== null && learned.lines.length > 0);
  const came = [status !== null && `код ${status}`, `${formatNumber(durationMs)} мс`].filter(Boolean).join(", ");
  return (
    <section aria-label="Что вышло" className="flex flex-col gap-4 rounded-lg border bg-surface p-4">
      {isDry && !isForProgrammer && call.arguments.length > 0 && (
        <Part title="Ушло бы">
          <NamedList label="Ушло бы" named={call.arguments} />
        </Part>
      )}
      {request !== null &&
        (isDry && isForProgrammer ? (
          <Part title="Ушло бы">
            <Sent request={request} />
          </Part>
        ) : (
          <Fold title="Запрос" open={false}>
            <Sent request={request} />
          </Fold>
        ))}
      {answer !== "" && (
        <Fold title={`Ответ системы: ${came}`} open={failed || !isChosen}>
          {children}
        </Fold>
      )}
      {answer === "" && status !== null && <p className="text-muted text-sm tabular-nums">Ответ системы: {came}</p>}
      <Part
        title={
          call.outcome === "done"
            ? "Собеседник узнал бы"
            : call.result.length > 0
              ? "Нашлось, но собеседник этого не узнал бы"
              : failed
                ? "Не получилось"
                : "Итог"
        }
      >
        <div role={failed ? "alert" : "status"} className="flex flex-col gap-2">
          {lines.length > 0 && <NamedList label="Что нашлось" named={lines} />}
          {(lines.length > 0 || said.length > 0 ? said : [`Вызов: ${outcomeName(call.outcome)}`]).map((sentence) => (
            <p key={sentence} className={failed ? "text-danger-text text-md" : "text-md"}>
              {sentence}
            </p>
          ))}
        </div>
      </Part>
    </section>
  );
}

const Sent = ({ request: { method, url, body } }: { request: NonNullable<ToolTrial["request"]> }) => (
  <pre className="whitespace-pre-wrap font-mono text-sm [overflow-wrap:anywhere]">
    {[`${method} ${url}`, body].filter(Boolean).join("\n\n")}
  </pre>
);

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <h3 className="font-medium text-md">{title}</h3>
      {children}
    </div>
  );
}

function Fold({ title, open, children }: { title: string; open: boolean; children: ReactNode }) {
  return (
    <details open={open} className="min-w-0">
      <summary className="w-fit cursor-pointer py-1 font-medium text-md">{title}</summary>
      <div className="mt-2 flex flex-col gap-1">{children}</div>
    </details>
  );
}
