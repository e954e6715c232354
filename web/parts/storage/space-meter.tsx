import { formatSize } from "#web/i18n/size.ts";
import { Progress } from "#web/ui/figures/progress.tsx";

interface SpaceMeterProps {
  label: string;
  usedBytes: number;
  totalBytes: number;
  parts: readonly (readonly [name: string, bytes: number])[];
}

export function SpaceMeter({ label, usedBytes, totalBytes, parts }: SpaceMeterProps) {
  return (
    <>
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-md">
        <span className="font-medium">{label}</span>
        <span className="text-muted tabular-nums">
          {formatSize(usedBytes)} из {formatSize(totalBytes)}
        </span>
      </p>
      <Progress className="mt-2" label={label} value={totalBytes === 0 ? 100 : (usedBytes / totalBytes) * 100} />
      {parts.length > 0 && (
        <dl className="mt-4 flex flex-wrap gap-x-8 gap-y-2 text-md">
          {parts.map(([name, bytes]) => (
            <div key={name} className="flex gap-2">
              <dt className="text-muted">{name}</dt>
              <dd className="font-medium tabular-nums">{formatSize(bytes)}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
