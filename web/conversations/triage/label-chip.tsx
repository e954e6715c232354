import type { Label } from "#contract/conversations/conversations.ts";
import { Badge, type BadgeTone } from "#web/ui/badge.tsx";
import { byName } from "#web/ui/by-name.ts";

/** Copper is excluded, because it marks who is speaking. */
const tones: readonly BadgeTone[] = ["primary", "success", "warning", "danger", "info", "neutral"];

export function LabelChip({ name }: Pick<Label, "name">) {
  return (
    <Badge tone={byName(name, tones)} className="min-w-0 max-w-36 shrink! px-1.5! leading-4">
      <span className="truncate">{name}</span>
    </Badge>
  );
}

/** Shows as many labels as fit, and the number of the others. */
export function LabelChips({ labels, most = 2 }: { labels: readonly Label[]; most?: number }) {
  if (labels.length === 0) return null;
  const rest = labels.slice(most);
  return (
    <span className="flex min-w-0 items-center gap-1">
      <span className="sr-only">Метки:</span>
      {labels.slice(0, most).map(({ id, name }) => (
        <LabelChip key={id} name={name} />
      ))}
      {rest.length > 0 && (
        <span className="text-muted text-sm tabular-nums" title={rest.map(({ name }) => name).join(", ")}>
          +{rest.length}
        </span>
      )}
    </span>
  );
}
