import { Fragment } from "react";
import type { Named } from "#contract/actions/tool-call.ts";

/** Fields with their values, as a call had them or a system answered them. The column of names is as wide as the longest needs. */
export function NamedList({ named, label }: { named: readonly Named[]; label: string }) {
  return (
    <dl aria-label={label} className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-md">
      {named.map(({ label: name, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the fields of one call keep their order, and names may repeat
        <Fragment key={at}>
          <dt className="max-w-32 text-muted [overflow-wrap:anywhere] sm:max-w-80">{name}</dt>
          <dd className="[overflow-wrap:anywhere]">{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
