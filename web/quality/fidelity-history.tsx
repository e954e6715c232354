import type { TwinQuality } from "#contract/quality.ts";
import { formatDate, formatRecent, formatShare } from "#web/i18n/format.ts";
import { PaperSection } from "#web/ui/layout/paper-section.tsx";

const WIDTH = 640;
const HEIGHT = 160;

/** The measured figures in order, with their intervals; drawn when there are at least two. */
export function FidelityHistory({ history }: { history: TwinQuality["history"] }) {
  if (history.length < 2) return null;
  const x = (at: number) => (at / (history.length - 1)) * WIDTH;
  const y = (share: number) => (1 - share) * HEIGHT;
  const line = (of: (point: (typeof history)[0]) => number) =>
    history.map((point, at) => `${x(at).toFixed(1)},${y(of(point)).toFixed(1)}`);
  const band = [...line(({ high }) => high), ...line(({ low }) => low).reverse()].join(" ");
  return (
    <PaperSection id="fidelity-history" title="Как менялась похожесть">
      <svg
        aria-hidden
        viewBox={`0 -4 ${WIDTH} ${HEIGHT + 8}`}
        preserveAspectRatio="none"
        className="h-40 w-full overflow-visible border-b"
      >
        <polygon points={band} className="fill-primary/15" />
        <polyline
          points={line(({ value }) => value).join(" ")}
          fill="none"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
          className="stroke-primary"
        />
      </svg>
      <p aria-hidden className="mt-2 flex justify-between gap-4 text-sm text-subtle tabular-nums">
        <span>{formatDate(history[0]!.measuredAt)}</span>
        <span>{formatDate(history.at(-1)!.measuredAt)}</span>
      </p>
      <ol className="sr-only">
        {history.map(({ measuredAt, value }) => (
          <li key={measuredAt}>
            {formatRecent(measuredAt)}: {formatShare(value)}
          </li>
        ))}
      </ol>
    </PaperSection>
  );
}
