import type { ToolFieldType } from "#contract/actions/tool-settings.ts";
import { DateInput } from "#web/ui/forms/date-input.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { Input } from "#web/ui/forms/input.tsx";
import { Select } from "#web/ui/forms/select.tsx";

export interface SampleField {
  name: string;
  label: string;
  /** "text" where nothing else is said. */
  type?: ToolFieldType;
  /** The values of a `choice`. */
  choices?: readonly string[];
  placeholder?: string;
  /** Whether no call is made without it. */
  required?: boolean;
}

/** The form in which a value of the type is taken. */
const HINTS: Partial<Record<ToolFieldType, string>> = {
  number: "Цифрами: 2 или 2,5",
  phone: "Например, +7 912 345-67-89",
  email: "Например, anna@example.ru",
  date: "Например, 25.12.2026",
  time: "Например, 15:00",
};
const KEYBOARDS: Partial<Record<ToolFieldType, "decimal" | "tel" | "email">> = {
  number: "decimal",
  phone: "tel",
  email: "email",
};

interface SampleInputProps {
  field: SampleField;
  value: string;
  onChange: (value: string) => void;
  onEnter: () => void;
}

/** A value of the example, entered as its type is: a date by the calendar, a choice by its list. */
export function SampleInput({ field, value, onChange, onEnter }: SampleInputProps) {
  const { label, type = "text", choices = [], placeholder } = field;
  return (
    <Field label={label} hint={HINTS[type]}>
      {type === "date" ? (
        <DateInput value={value} onChange={onChange} />
      ) : type === "choice" ? (
        <Select placeholder="Не выбрано" value={value} onChange={({ target }) => onChange(target.value)}>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </Select>
      ) : (
        <Input
          autoComplete="off"
          inputMode={KEYBOARDS[type]}
          placeholder={placeholder}
          maxLength={500}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            onEnter();
          }}
        />
      )}
    </Field>
  );
}
