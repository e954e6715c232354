import type { ToolValues } from "../form-values.ts";

export interface PlacedFault {
  /** Name of the form's field: `fields.0.label`. */
  place: string;
  message: string;
  /** The value that only the server has refused; null: the form itself finds the fault, and when it is mended. */
  refused: string | null;
}

/** The value of the whole group in which a field stands, so that two can be compared. */
export const valueAt = (values: ToolValues, place: string): string =>
  JSON.stringify(values[place.split(".")[0] as keyof ToolValues]) ?? "";

/**
 * What is still wrong after a change. Nothing is added: what is not finished yet is no fault while it is being typed.
 * @param found what the form itself finds now
 */
export function remainingFaults(
  placed: readonly PlacedFault[],
  found: readonly PlacedFault[],
  values: ToolValues,
): PlacedFault[] {
  return placed.flatMap((fault) => {
    if (fault.refused !== null) return valueAt(values, fault.place) === fault.refused ? [fault] : [];
    const still = found.find(({ place }) => place === fault.place);
    if (still === undefined) return [];
    return still.message === fault.message ? [fault] : [still];
  });
}
