import { useEffect, useState } from "react";
import type { Path } from "react-hook-form";
import { ToolInput } from "#contract/actions/tools.ts";
import { faultsOf } from "../faults.ts";
import { errorAt, type ToolFormState } from "../form-parts.tsx";
import { inputOf, placeInForm, type ToolKind, type ToolValues } from "../form-values.ts";
import { type PlacedFault, remainingFaults, valueAt } from "./placed-faults.ts";

/** Path of the contract, and the sentence for its owner. */
type Fault = readonly [path: string, message: string];

interface Faults {
  /** What the form shows at its fields now, in the order of the page. */
  shown: PlacedFault[];
  /** Everything that can be said of the tool without the server. */
  check: (input: ToolInput) => Fault[];
  /**
   * Shows faults at their fields; the first one on the page gets the focus.
   * @param isOurs whether `check` finds them too, so that it also finds when they are mended
   * @returns whether each had a field
   */
  place: (found: readonly Fault[], isOurs: boolean) => boolean;
  clear: () => void;
}

/**
 * Faults at the fields of the form of a tool. Each goes away as soon as it is mended, in whatever field that happens.
 * @param values what the form holds now
 */
export function useFaults(form: ToolFormState, kind: ToolKind, values: ToolValues, enabled: boolean): Faults {
  const [placed, setPlaced] = useState<readonly PlacedFault[]>([]);
  const { setError, clearErrors } = form;

  // Runs after each change of the form, which renders it anew; without faults it costs nothing.
  useEffect(() => {
    if (placed.length === 0) return;
    const now = placedIn(kind, checkTool(inputOf(kind, values, enabled)));
    const remaining = remainingFaults(placed, now, values);
    if (remaining.length === placed.length && remaining.every((one, at) => one === placed[at])) return;
    for (const { place } of placed) clearErrors(place as Path<ToolValues>);
    for (const { place, message } of remaining) setError(place as Path<ToolValues>, { message });
    setPlaced(remaining);
  });

  return {
    shown: placed.filter(({ place }) => errorAt(form, place as Path<ToolValues>) !== undefined),
    check: checkTool,
    place(found, isOurs) {
      const faults = placedIn(kind, found, isOurs ? undefined : form.getValues());
      for (const { place, message } of faults) setError(place as Path<ToolValues>, { message });
      setPlaced(faults);
      requestAnimationFrame(() => focusFault());
      return found.every(([path]) => placeInForm(kind, path) !== null);
    },
    clear() {
      clearErrors();
      setPlaced([]);
    },
  };
}

function checkTool(input: ToolInput): Fault[] {
  const issues = ToolInput.safeParse(input).error?.issues ?? [];
  return [...issues.map(({ path, message }): Fault => [path.join("."), message]), ...faultsOf(input)];
}

/**
 * In the order of the page, one at each place.
 * @param refused the values that the server has refused; absent: the form itself finds these faults
 */
function placedIn(kind: ToolKind, faults: readonly Fault[], refused?: ToolValues): PlacedFault[] {
  const found = new Map<string, PlacedFault>();
  for (const [path, message] of faults) {
    const place = placeInForm(kind, path);
    if (place === null || found.has(place)) continue;
    found.set(place, { place, message, refused: refused === undefined ? null : valueAt(refused, place) });
  }
  return [...found.values()].sort((one, other) => rankOf(one.place) - rankOf(other.place));
}

const ORDER = [/^(?:scope|asked|channelPhone)/, /^(?:title|description|examples)/, /^degree/];
const rankOf = (place: string): number => ORDER.findIndex((group) => group.test(place));

/** Leads to the field of the fault, or to the first one with any. */
export function focusFault(fault?: PlacedFault) {
  const { place, message } = fault ?? {};
  const alerts = [...document.querySelectorAll<HTMLElement>("form [role=alert]")];
  const alert = alerts.find(({ textContent }) => textContent === message);
  const field = alert?.id
    ? document.querySelector<HTMLElement>(`form [aria-describedby~="${CSS.escape(alert.id)}"]`)
    : null;
  const own = place === undefined ? null : document.querySelector<HTMLElement>(`form [name="${CSS.escape(place)}"]`);
  const target =
    message === undefined
      ? document.querySelector<HTMLElement>("form [aria-invalid=true], form [role=alert]")
      : (own ?? field ?? alert);
  // A choice without a field of its own takes no focus, so the page at least goes there.
  target?.focus({ preventScroll: true });
  target?.scrollIntoView?.({ block: "center", behavior: "instant" });
}
