import type { AuditEntry } from "#contract/organizations/audit.ts";
import { formatTime } from "#web/i18n/format.ts";
import { actorName } from "./audit-csv.ts";

interface AuditRowProps {
  entry: AuditEntry;
  onPerson(id: string): void;
}

/** Time, action and person. The rows' heading states the day, so each row shows only the time. */
export function AuditRow({ entry, onPerson }: AuditRowProps) {
  const { at, sentence, subject, details, actor, organization } = entry;
  return (
    <li className="grid grid-cols-[4rem_minmax(0,1fr)] gap-x-4 gap-y-1 py-3 lg:grid-cols-[4rem_minmax(0,1fr)_16rem]">
      <time dateTime={at} className="text-md text-subtle tabular-nums">
        {formatTime(at)}
      </time>
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
      <p className="min-w-0 text-sm text-subtle [overflow-wrap:anywhere] max-lg:col-start-2 lg:text-end">
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
    </li>
  );
}
