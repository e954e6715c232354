import { type KeyboardEvent, useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/forms/field.tsx";
import { PasswordInput } from "#web/ui/forms/password-input.tsx";
import { hintBeside } from "./hint-beside.tsx";
import { type ProxyValue, SYSTEM_PROXY_HINT, storedProxy } from "./proxy-value.ts";

interface ProxyFieldProps {
  value: ProxyValue;
  error: string | undefined;
  onChange: (next: ProxyValue) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
}

/** The proxy behind an address, folded away while there is none. A stored one is named, replaced or removed, and never shown whole. */
export function ProxyField({ value: { entered, stored }, error, onChange, onKeyDown }: ProxyFieldProps) {
  const [isOpen, setOpen] = useState(stored !== null || entered !== "");
  const [isRemoved, setRemoved] = useState(false);
  return (
    <details
      open={isOpen || error !== undefined}
      onToggle={({ currentTarget }) => {
        if (error === undefined) setOpen(currentTarget.open);
      }}
    >
      <summary className="w-fit cursor-pointer py-1 font-medium text-md">
        {stored === null ? "Дополнительно" : "Прокси задан"}
      </summary>
      <Field
        label="Прокси"
        className="mt-3"
        error={error}
        hint={
          stored !== null
            ? `Сейчас запросы идут через ${stored}. Введите новый, чтобы заменить`
            : isRemoved && entered === ""
              ? "Прокси убран: запросы пойдут напрямую"
              : hintBeside(SYSTEM_PROXY_HINT, error)
        }
      >
        <PasswordInput
          what="введённое"
          autoComplete="off"
          placeholder={stored === null ? "" : "••••••••"}
          maxLength={2000}
          value={entered}
          onChange={({ target }) => onChange({ entered: target.value, stored })}
          onKeyDown={onKeyDown}
        />
      </Field>
      {stored !== null && (
        <Button
          variant="ghost"
          size="sm"
          className="mt-2"
          onClick={({ currentTarget }) => {
            // The button goes away with the focus on it.
            currentTarget.closest("details")?.querySelector("input")?.focus();
            setRemoved(true);
            onChange(storedProxy());
          }}
        >
          Убрать прокси
        </Button>
      )}
    </details>
  );
}
