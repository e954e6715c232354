import { SampleBadge } from "#web/ui/badge.tsx";

interface ExampleRowProps {
  title: string;
  detail: string;
  use: string;
}

export function ExampleRow({ title, detail, use }: ExampleRowProps) {
  return (
    <div
      role="img"
      aria-label={`Пример: ${title}, ${use}`}
      className="mt-2 flex min-h-11 max-w-2xl flex-wrap items-center gap-x-4 gap-y-1 rounded-md border border-dashed px-4 py-2 text-muted"
    >
      <SampleBadge />
      <span className="min-w-0 flex-1 basis-48 text-md">
        {title} <span className="text-sm text-subtle">{detail}</span>
      </span>
      <span className="text-sm">{use}</span>
    </div>
  );
}
