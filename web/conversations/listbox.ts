import { type KeyboardEvent, useId, useState } from "react";

/** Options of a field that keeps the focus: arrow keys move through them, Enter chooses one (ARIA practices, combobox). */
export function useListbox<Option>(options: readonly Option[], take: (option: Option) => void) {
  const [place, setPlace] = useState(0);
  const listId = useId();
  const active = Math.min(place, options.length - 1);
  const optionId = (at: number) => `${listId}-${at}`;
  return {
    listId,
    active,
    optionId,
    setActive: setPlace,
    fieldProps: {
      "aria-autocomplete": "list",
      "aria-controls": options.length > 0 ? listId : undefined,
      "aria-activedescendant": active >= 0 ? optionId(active) : undefined,
    } as const,
    press(event: KeyboardEvent): boolean {
      if (options.length === 0 || event.nativeEvent.isComposing || event.shiftKey) return false;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const chosen = options[active];
      if (step !== undefined) setPlace((active + step + options.length) % options.length);
      else if (event.key === "Enter" && chosen !== undefined && !event.ctrlKey && !event.metaKey) take(chosen);
      else return false;
      event.preventDefault();
      return true;
    },
  };
}
