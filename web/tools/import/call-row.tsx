import type { OfferedCall } from "#contract/actions/tool-import.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";

interface CallRowProps {
  call: OfferedCall;
  chosen: boolean;
  /** Why no more can be chosen; null: it can. */
  full: string | null;
  onChange: (chosen: boolean) => void;
}

/** One call of the description, with what it asks for and what of it would not be sent. */
export function CallRow({ call, chosen, full, onChange }: CallRowProps) {
  const { method, path, title, description, changes, fields, omitted, problem } = call;
  const whyNot = problem ?? (chosen ? null : full);
  return (
    <li className="py-3">
      <Checkbox
        checked={chosen}
        disabled={whyNot !== null}
        onChange={({ target }) => onChange(target.checked)}
        className={problem === null ? undefined : "text-muted"}
      >
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-medium [overflow-wrap:anywhere]">{title}</span>
          <Badge tone={changes ? "warning" : "neutral"}>{changes ? "Меняет" : "Читает"}</Badge>
        </span>
        <span className="block font-mono text-muted text-sm [overflow-wrap:anywhere]">
          {method} {path}
        </span>
        {description !== "" && <span className="block text-sm [overflow-wrap:anywhere]">{description}</span>}
        {problem === null && fields.length > 0 && (
          <span className="block text-muted text-sm [overflow-wrap:anywhere]">
            Спросит: {fields.map(({ label, required }) => (required ? label : `${label} (если назовут)`)).join(", ")}
          </span>
        )}
        {problem === null && omitted.length > 0 && (
          <span className="block text-muted text-sm [overflow-wrap:anywhere]">Не отправит: {omitted.join(", ")}</span>
        )}
        {problem !== null && <span className="block text-sm [overflow-wrap:anywhere]">{problem}</span>}
      </Checkbox>
    </li>
  );
}
