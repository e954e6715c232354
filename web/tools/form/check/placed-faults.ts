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

const LISTS = {
  fields: ["поле", ({ label, name }: ToolValues["fields"][number]) => label || name],
  headers: ["заголовок", ({ name }: ToolValues["headers"][number]) => name],
  places: ["значение", ({ label, path }: ToolValues["places"][number]) => label || path],
  asked: ["вопрос", ({ label }: ToolValues["asked"][number]) => label],
} as const;

/** What a place is called among others that lack the same: «значение order.status», «само действие». */
export function placeName(place: string, values: ToolValues): string {
  const [group = "", at] = place.split(".");
  if (!(group in LISTS) || at === undefined) return NAMES[group] ?? "само действие";
  const [kind, nameOf] = LISTS[group as keyof typeof LISTS];
  const row = values[group as keyof typeof LISTS][Number(at)];
  const name = row === undefined ? "" : (nameOf as (row: unknown) => string)(row).trim();
  return `${kind} ${name || Number(at) + 1}`;
}

const NAMES: Readonly<Record<string, string>> = { examples: "пример", calendar: "календарь", url: "адрес" };
