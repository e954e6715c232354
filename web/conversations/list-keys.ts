import { type RefObject, useEffect } from "react";

const rowButtons = (list: HTMLElement | null) => [
  ...(list?.querySelectorAll<HTMLElement>("[data-conversation]") ?? []),
];

/** J and K move the focus down and up the list, and Enter opens. Layout-independent (`KeyboardEvent.code`). */
export function useListKeys(list: RefObject<HTMLElement | null>, selected: string | null) {
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const step = { KeyJ: 1, KeyK: -1 }[event.code];
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const rows = rowButtons(list.current);
      const focused = rows.indexOf(document.activeElement as HTMLElement);
      const from = focused >= 0 ? focused : rows.findIndex((row) => row.dataset.conversation === selected);
      const next = rows[from < 0 ? (step > 0 ? 0 : rows.length - 1) : from + step];
      if (!next) return;
      event.preventDefault();
      next.focus();
      next.scrollIntoView({ block: "nearest" });
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [list, selected]);
}

/** Focuses the row of a conversation once it is rendered. */
export function focusRow(list: HTMLElement | null, id: string) {
  requestAnimationFrame(() =>
    rowButtons(list)
      .find((row) => row.dataset.conversation === id)
      ?.focus(),
  );
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable || target.matches("input, textarea, select") || target.closest("[role=dialog]") !== null
  );
}
