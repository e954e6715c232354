import { X } from "lucide-react";
import { AUDIT_ACTIONS, AUDIT_GROUPS } from "#contract/organizations/audit.ts";
import { Button } from "#web/ui/button.tsx";
import { DateInput } from "#web/ui/forms/date-input.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Select } from "#web/ui/forms/select.tsx";

export interface AuditAddress {
  q: string;
  what: string;
  who: string;
  from: string;
  to: string;
}

interface AuditFiltersProps {
  address: AuditAddress;
  onChange(changes: Partial<AuditAddress>): void;
  /** Name of the person whose actions are shown; null without this filter. */
  person: string | null;
}

export function AuditFilters({ address, onChange, person }: AuditFiltersProps) {
  const { q, what, who, from, to } = address;
  return (
    <div className="flex flex-col gap-3 pb-4">
      <div className="grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-4">
        <Field label="Поиск по журналу">
          <Input
            type="search"
            placeholder="Имя, почта или действие"
            value={q}
            onChange={(event) => onChange({ q: event.target.value })}
          />
        </Field>
        <Field label="Что произошло">
          <Select placeholder="Все действия" value={what} onChange={(event) => onChange({ what: event.target.value })}>
            {Object.entries(AUDIT_GROUPS).map(([group, name]) => (
              <optgroup key={group} label={name}>
                <option value={`group:${group}`}>{name}: все</option>
                {Object.entries(AUDIT_ACTIONS)
                  .filter(([, action]) => action.group === group)
                  .map(([action, { sentence }]) => (
                    <option key={action} value={action}>
                      {sentence}
                    </option>
                  ))}
              </optgroup>
            ))}
          </Select>
        </Field>
        <Field label="С какого дня">
          <DateInput value={from} max={to || undefined} onChange={(day) => onChange({ from: day })} />
        </Field>
        <Field label="По какой день">
          <DateInput value={to} min={from || undefined} onChange={(day) => onChange({ to: day })} />
        </Field>
      </div>
      {who !== "" && (
        <Button size="sm" className="self-start" onClick={() => onChange({ who: "" })}>
          <X aria-hidden className="icon" />
          Только {person ?? "один человек"}: показать всех
        </Button>
      )}
    </div>
  );
}
