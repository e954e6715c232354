import type { Readiness } from "#contract/gaps.ts";
import { Card, CardBody } from "#web/ui/layout/card.tsx";
import { readinessInWords } from "./gap-words.ts";

/** How much of what people ask the twin answers now; the lighter part is what it has learnt since it was asked. */
export function ReadinessCard({ readiness, percent }: { readiness: Readiness; percent: number }) {
  const { questions, atFirst, now } = readiness;
  const width = (count: number) => ({ width: `${(100 * count) / Math.max(1, questions)}%` });
  return (
    <Card aria-labelledby="readiness">
      <CardBody className="flex flex-col gap-3">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h2 id="readiness" className="text-base">
            Готовность двойника
          </h2>
          <p className="font-semibold text-2xl tabular-nums">{percent}&nbsp;%</p>
        </div>
        <div
          role="progressbar"
          aria-labelledby="readiness"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          className="flex h-2 overflow-hidden rounded-full bg-hover"
        >
          <span className="bg-primary" style={width(atFirst)} />
          <span className="bg-primary opacity-55" style={width(now - atFirst)} />
        </div>
        <p role="status" className="max-w-measure text-md text-muted">
          {readinessInWords(readiness)}
        </p>
      </CardBody>
    </Card>
  );
}
