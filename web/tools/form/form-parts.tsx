import type { Path, UseFormReturn } from "react-hook-form";
import type { ToolValues } from "./form-values.ts";

export type ToolFormState = UseFormReturn<ToolValues>;

type ListName = "fields" | "headers" | "asked" | "places";

interface Rows<Name extends ListName> {
  rows: ToolValues[Name];
  append: (row: ToolValues[Name][number]) => void;
  remove: (at: number) => void;
}

/** Rows of a list in the form, whose inputs are registered by their places. `useFieldArray` would weigh on each screen with a form. */
export function useRows<Name extends ListName>(form: ToolFormState, name: Name): Rows<Name> {
  const rows = form.watch(name) as ToolValues[Name];
  const set = (next: readonly ToolValues[Name][number][]) => form.setValue(name, next as never, { shouldDirty: true });
  return {
    rows,
    append: (row) => set([...rows, row]),
    remove: (at) => set(rows.filter((_, place) => place !== at)),
  };
}

/** What is wrong at a field of the form, as a sentence. */
export const errorAt = (form: ToolFormState, place: Path<ToolValues>): string | undefined =>
  form.getFieldState(place, form.formState).error?.message;

/** What is wrong with a choice that has no field of its own. */
export function ChoiceError({ message }: { message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <p role="alert" className="text-danger-text text-sm">
      {message}
    </p>
  );
}
