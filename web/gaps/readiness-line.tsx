import type { Readiness } from "#contract/gaps.ts";
import { readinessInWords, readyPercent } from "./gap-words.ts";

/** The twin's readiness. The lighter part of the bar is what it has learnt since the questions were asked. */
export function ReadinessLine({ readiness }: { readiness: Readiness }) {
  const { questions, atFirst, now } = readiness;
  const percent = readyPercent(readiness);
  const width = (count: number) => ({ width: `${(100 * count) / Math.max(1, questions)}%` });
  return (
    <section aria-labelledby="readiness" className="flex flex-wrap items-center gap-x-6 gap-y-2">
      <h2 id="readiness" className="text-base">
        Готовность двойника
      </h2>
      {percent !== null && (
        <div className="flex min-w-40 max-w-80 flex-1 items-center gap-3">
          <div
            role="progressbar"
            aria-labelledby="readiness"
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={percent}
            className="flex h-2 flex-1 overflow-hidden rounded-full bg-hover"
          >
            <span className="bg-primary" style={width(atFirst)} />
            <span className="bg-primary opacity-50" style={width(now - atFirst)} />
          </div>
          <p className="font-semibold text-lg tabular-nums">{percent}&nbsp;%</p>
        </div>
      )}
      <p role="status" className="max-w-measure text-md text-muted">
        {readinessInWords(readiness)}
      </p>
    </section>
  );
}
