import type { ToolValues } from "../form-values.ts";
import { type PlacedFault, placeName } from "./placed-faults.ts";
import { focusFault } from "./use-faults.ts";

/** Beside the button that saves: how many fields need their owner, and the way to each. */
export function FaultList({ faults, values }: { faults: readonly PlacedFault[]; values: ToolValues }) {
  if (faults.length === 0) return null;
  const isShared = ({ message }: PlacedFault) => faults.filter((one) => one.message === message).length > 1;
  return (
    <section aria-labelledby="tool-faults" className="flex flex-col gap-1">
      <p id="tool-faults" className="font-medium text-danger-text text-md">
        Не&nbsp;заполнено или неверно: {faults.length}
      </p>
      <ul className="flex flex-col gap-1 text-md">
        {faults.map((fault) => (
          <li key={fault.place}>
            <button type="button" className="rounded-sm text-start underline" onClick={() => focusFault(fault)}>
              {isShared(fault) ? `${fault.message}: ${placeName(fault.place, values)}` : fault.message}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
