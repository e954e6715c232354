import { formatNumber } from "#web/i18n/format.ts";

/** Figures of a card, each below its label. */
export function CardFigures({ figures }: { figures: readonly (readonly [string, number])[] }) {
  return (
    <dl className="flex gap-x-8">
      {figures.map(([term, value]) => (
        <div key={term}>
          <dt className="text-muted text-sm">{term}</dt>
          <dd className="font-semibold text-lg tabular-nums">{formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
