import type { Named } from "#contract/actions/tool-call.ts";

/** Fields with their values, as a call had them or a system answered them. */
export function NamedList({ named, label }: { named: readonly Named[]; label: string }) {
  return (
    <dl aria-label={label} className="flex flex-col gap-1.5 text-md">
      {named.map(({ label: name, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the fields of one call keep their order, and names may repeat
        <div key={at} className="flex gap-3">
          <dt className="w-28 shrink-0 text-muted [overflow-wrap:anywhere]">{name}</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
