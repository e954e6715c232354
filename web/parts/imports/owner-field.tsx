import { clsx } from "clsx";
import { useState } from "react";
import type { ImportPerson } from "#contract/knowledge/imports.ts";
import { plural } from "#web/i18n/plural.ts";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Select } from "#web/ui/forms/select.tsx";
import { messages } from "./import-progress.tsx";

/** Marks a question that the import waits for. It is visual only, because the button's text lists what is missing. */
const Undone = () => (
  <span aria-hidden className="font-normal text-sm text-warning-text">
    обязательно
  </span>
);

const SEARCHABLE_FROM = 10;
const LEARNS = "На репликах этого человека учится двойник.";

interface OwnerFieldProps {
  people: ImportPerson[];
  value: string;
  /** The person who is probably the owner: by the file itself, and by the twin's name. The hint says which of them chose the value. */
  guess: { byFile: string | null; byName: string | null };
  onChange: (id: string) => void;
  error?: string | undefined;
}

export function OwnerField({ people, value, guess, onChange, error }: OwnerFieldProps) {
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const found = people.filter(({ id, name }) => id === value || name.toLowerCase().includes(wanted));
  const searchable = people.length > SEARCHABLE_FROM;
  return (
    <div className={clsx("grid items-start gap-3", searchable && "sm:grid-cols-2")}>
      <Field
        label={<>Кто здесь вы? {value === "" && <Undone />}</>}
        required
        error={error}
        hint={
          value === ""
            ? LEARNS
            : value === guess.byFile
              ? "Определили по файлу. Если это не вы, выберите себя."
              : value === guess.byName
                ? "Выбрали по имени двойника. Если это не вы, выберите себя."
                : LEARNS
        }
      >
        <Select value={value} placeholder="Выберите себя" onChange={(event) => onChange(event.target.value)}>
          {found.map((person) => (
            <option key={person.id} value={person.id}>
              {person.name || "Без имени"} · {plural(person.messages, messages)}
            </option>
          ))}
        </Select>
      </Field>
      {searchable && (
        <Field label="Найти себя по имени">
          <Input type="search" value={search} onChange={(event) => setSearch(event.target.value)} />
        </Field>
      )}
    </div>
  );
}
