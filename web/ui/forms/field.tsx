import { clsx } from "clsx";
import { createContext, type ReactNode, useContext, useId } from "react";
import { Label } from "./label.tsx";

interface FieldWiring {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
}

const FieldContext = createContext<FieldWiring | null>(null);

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  required?: boolean;
  className?: string;
  /** One Input, Textarea, Select or Switch, which takes its id and aria attributes from the Field. */
  children: ReactNode;
}

export function Field({ label, hint, error, required = false, className, children }: FieldProps) {
  const id = useId();
  const described = [error ? `${id}-error` : "", hint ? `${id}-hint` : ""].filter(Boolean).join(" ");
  return (
    <FieldContext value={{ id, describedBy: described || undefined, invalid: Boolean(error), required }}>
      <div className={clsx("flex min-w-0 flex-col gap-1.5", className)}>
        <Label htmlFor={id}>{label}</Label>
        {children}
        {error && (
          <p id={`${id}-error`} role="alert" className="text-danger-text text-sm">
            {error}
          </p>
        )}
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-subtle">
            {hint}
          </p>
        )}
      </div>
    </FieldContext>
  );
}

/** Attributes that bind a control to the Field around it; empty outside a Field. */
export function useFieldControl() {
  const field = useContext(FieldContext);
  if (!field) return {};
  return {
    id: field.id,
    "aria-describedby": field.describedBy,
    "aria-invalid": field.invalid || undefined,
    // The schema reports missing values; `required` would show the browser's own bubble first.
    "aria-required": field.required || undefined,
  };
}

export const controlClass =
  "w-full min-w-0 rounded-md border border-control bg-surface text-fg text-base md:text-md " +
  "transition-colors hover:border-fg/60 aria-invalid:border-danger disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted";
