import { formatNumber } from "#web/i18n/format.ts";

export function CardFigures({ figures }: { figures: readonly (readonly [string, number])[] }) {
  return (
    <dl className="flex gap-x-8">
      {figures.map(([term, value]) => (
        <div key={term} className="w-16">
          <dt className="text-muted text-sm">{term}</dt>
          <dd className="font-semibold text-lg tabular-nums">{formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
