import type { AuditEntry } from "#contract/organizations/audit.ts";
import { formatMoment } from "#web/i18n/format.ts";
import { actorName } from "./audit-csv.ts";

interface AuditRowProps {
  entry: AuditEntry;
  /** Shows what this person did, and nothing else. */
  onPerson(id: string): void;
}

export function AuditRow({ entry, onPerson }: AuditRowProps) {
  const { at, sentence, subject, details, actor, organization } = entry;
  return (
    <li className="flex flex-col gap-1 px-4 py-3 md:px-5">
      <p className="text-md [overflow-wrap:anywhere]">
        <span className="font-medium">{sentence}</span>
        {subject && <span>: {subject}</span>}
      </p>
      <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-sm text-subtle">
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
        <time dateTime={at}>{formatMoment(at)}</time>
        {organization && <span>{organization}</span>}
      </p>
      {details.length > 0 && (
        <p className="text-sm text-subtle [overflow-wrap:anywhere]">
          {details.map(({ label, value }) => `${label}: ${value}`).join(" · ")}
        </p>
      )}
    </li>
  );
}
