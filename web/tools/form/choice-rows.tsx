import { clsx } from "clsx";

interface Choice<Value extends string> {
  value: Value;
  name: string;
  about: string;
  /** Why it cannot be chosen now, as a sentence. */
  whyNot?: string | undefined;
}

interface ChoiceRowsProps<Value extends string> {
  legend: string;
  name: string;
  choices: readonly Choice<Value>[];
  value: Value;
  onChange: (next: Value) => void;
}

/** A choice of few ways, each explained. */
export function ChoiceRows<Value extends string>({ legend, name, choices, value, onChange }: ChoiceRowsProps<Value>) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="sr-only">{legend}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className={clsx(
            "flex cursor-pointer items-start gap-3 rounded-lg border bg-surface px-3 py-2.5 has-disabled:cursor-not-allowed has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2",
            choice.value === value ? "border-primary" : "border-control hover:bg-hover",
          )}
        >
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            disabled={choice.whyNot !== undefined}
            onChange={() => onChange(choice.value)}
            className="mt-0.5 size-4.5 shrink-0 accent-primary outline-none"
          />
          <span className="min-w-0">
            <span className="block font-medium text-md">{choice.name}</span>
            <span className="block text-muted text-sm">{choice.whyNot ?? choice.about}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
