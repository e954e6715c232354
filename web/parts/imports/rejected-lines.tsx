import type { ImportState } from "#contract/knowledge/imports.ts";
import { formatNumber } from "#web/i18n/format.ts";
import { plural } from "#web/i18n/plural.ts";
import { ScrollRegion } from "#web/ui/layout/scroll-region.tsx";

export function RejectedLines({ state }: { state: ImportState }) {
  const { rejected, rejectedCount } = state;
  if (rejectedCount === 0) return null;
  return (
    <details className="rounded-lg border px-4 py-3 text-md">
      <summary className="w-fit rounded-sm font-medium">
        Не прочитано: {plural(rejectedCount, ["запись", "записи", "записей"])}
      </summary>
      <ScrollRegion aria-label="Непрочитанные записи" className="mt-3 max-h-60">
        <ul className="text-muted">
          {rejected.map(({ line, reason, file }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two faults of one line may read the same
            <li key={place} className="flex gap-3 py-1">
              <span className="w-24 shrink-0 text-subtle tabular-nums">
                {line > 0 && `Строка ${formatNumber(line)}`}
              </span>
              <span className="min-w-0 [overflow-wrap:anywhere]">
                {reason}
                {file && <span className="block text-sm text-subtle">{file}</span>}
              </span>
            </li>
          ))}
        </ul>
      </ScrollRegion>
      {rejectedCount > rejected.length && (
        <p className="mt-2 text-sm text-subtle">Показаны первые {formatNumber(rejected.length)}</p>
      )}
    </details>
  );
}
