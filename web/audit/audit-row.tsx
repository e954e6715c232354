import type { AuditEntry } from "#contract/organizations/audit.ts";
import { formatMoment } from "#web/i18n/format.ts";
import { actorName } from "./audit-csv.ts";

interface AuditRowProps {
  entry: AuditEntry;
  /** Shows what this person did, and nothing else. */
  onPerson(id: string): void;
}

/** What was done at the left, by whom and when at the right: at a desk a line each, so that times stand under each other. */
export function AuditRow({ entry, onPerson }: AuditRowProps) {
  const { at, sentence, subject, details, actor, organization } = entry;
  return (
    <li className="grid grid-cols-1 gap-x-6 gap-y-1 py-3 lg:grid-cols-[minmax(0,1fr)_14rem_16rem]">
      <div className="min-w-0">
        <p className="text-md [overflow-wrap:anywhere]">
          <span className="font-medium">{sentence}</span>
          {subject && <span>: {subject}</span>}
        </p>
        {details.length > 0 && (
          <p className="text-sm text-subtle [overflow-wrap:anywhere]">
            {details.map(({ label, value }) => `${label}: ${value}`).join(" · ")}
          </p>
        )}
      </div>
      <p className="min-w-0 text-sm text-subtle [overflow-wrap:anywhere]">
        {actor?.name ? (
          <button
            type="button"
            className="text-start text-primary-text underline underline-offset-4"
            onClick={() => onPerson(actor.id)}
          >
            {actor.name}
          </button>
        ) : (
          <span>{actorName(entry)}</span>
        )}
        {organization && <span className="block">{organization}</span>}
      </p>
      <time dateTime={at} className="text-sm text-subtle tabular-nums lg:text-end">
        {formatMoment(at)}
      </time>
    </li>
  );
}
