import type { PlacedFault } from "./placed-faults.ts";
import { focusFault } from "./use-faults.ts";

/** Beside the button that saves: how many fields need their owner, and the way to each. */
export function FaultList({ faults }: { faults: readonly PlacedFault[] }) {
  if (faults.length === 0) return null;
  // Fields that lack the same are one line; it leads to the first of them that still lacks it.
  const messages = [...new Set(faults.map(({ message }) => message))];
  return (
    <section aria-labelledby="tool-faults" className="flex flex-col gap-1">
      <p id="tool-faults" className="font-medium text-danger-text text-md">
        Не&nbsp;заполнено или неверно: {faults.length}
      </p>
      <ul className="flex flex-col gap-1 text-md">
        {messages.map((message) => {
          const count = faults.filter((one) => one.message === message).length;
          return (
            <li key={message}>
              <button type="button" className="rounded-sm text-start underline" onClick={() => focusFault(message)}>
                {count > 1 ? `${message} (${count})` : message}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
