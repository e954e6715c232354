import type { OfferedCall } from "#contract/actions/tool-import.ts";
import { Badge } from "#web/ui/badge.tsx";
import { Checkbox } from "#web/ui/forms/checkbox.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { type CallNames, proposedNames, unnamedIn } from "./chosen-tools.ts";

interface CallRowProps {
  call: OfferedCall;
  chosen: boolean;
  /** What its owner has typed for people to read. */
  names: CallNames;
  /** Why no more can be chosen; null: it can. */
  full: string | null;
  onChange: (chosen: boolean) => void;
  onNames: (names: CallNames) => void;
}

/** One call of the description, with what it asks for and what of it would not be sent. */
export function CallRow({ call, chosen, names, full, onChange, onNames }: CallRowProps) {
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
            Спросит:{" "}
            {fields
              .map(({ name, label, required }) => {
                const word = names.fields[name]?.trim() || label;
                return required ? word : `${word} (если назовут)`;
              })
              .join(", ")}
          </span>
        )}
        {problem === null && omitted.length > 0 && (
          <span className="block text-muted text-sm [overflow-wrap:anywhere]">Не отправит: {omitted.join(", ")}</span>
        )}
        {problem !== null && <span className="block text-sm [overflow-wrap:anywhere]">{problem}</span>}
      </Checkbox>
      {chosen && <NameFields call={call} names={names} onNames={onNames} />}
    </li>
  );
}

/** What the description does not say in Russian is named here, because customers and the model read it. */
function NameFields({ call, names, onNames }: Pick<CallRowProps, "call" | "names" | "onNames">) {
  const { title, description, fields } = proposedNames(call);
  const unnamed = unnamedIn(call, names);
  if (title !== "" && description !== "" && unnamedIn(call, proposedNames(call)).length === 0) return null;
  return (
    <fieldset className="mt-3 grid min-w-0 gap-3 rounded-lg border p-4 sm:grid-cols-2">
      <legend className="sr-only">{call.title}</legend>
      {title === "" && (
        <Field label="Название" hint="По-русски: его прочтёт и собеседник">
          <Input
            autoComplete="off"
            maxLength={80}
            placeholder={call.title}
            value={names.title}
            onChange={({ target }) => onNames({ ...names, title: target.value })}
          />
        </Field>
      )}
      {description === "" && (
        <Field label="Для чего оно" hint="Одной фразой: по ней модель выбирает действие">
          <Input
            autoComplete="off"
            maxLength={500}
            value={names.description}
            onChange={({ target }) => onNames({ ...names, description: target.value })}
          />
        </Field>
      )}
      {call.fields
        .filter(({ name }) => fields[name] === "")
        .map(({ name, label }) => (
          <Field key={name} label={`Название для ${label}`}>
            <Input
              autoComplete="off"
              maxLength={60}
              value={names.fields[name] ?? ""}
              onChange={({ target }) => onNames({ ...names, fields: { ...names.fields, [name]: target.value } })}
            />
          </Field>
        ))}
      {unnamed.length > 0 && (
        <p className="text-sm text-warning-text sm:col-span-2">Не&nbsp;закончено, нет: {unnamed.join(", ")}</p>
      )}
    </fieldset>
  );
}
