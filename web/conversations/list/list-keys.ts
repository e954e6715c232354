import { type RefObject, useEffect } from "react";
import { isTyping } from "#web/ui/typing.ts";

const rowButtons = (list: HTMLElement | null) => [
  ...(list?.querySelectorAll<HTMLElement>("[data-conversation]") ?? []),
];

const searchField = () => document.querySelector<HTMLInputElement>("[data-search-conversations]");

/**
 * J and K move the focus down and up the list, and Enter opens. Layout-independent (`KeyboardEvent.code`). The arrow keys also move
 * between the list and the search field; «/» focuses the field from anywhere.
 */
export function useListKeys(list: RefObject<HTMLElement | null>) {
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const field = searchField();
      if (event.key === "/" && !isTyping(event.target) && field?.checkVisibility()) {
        event.preventDefault();
        field.select();
        return;
      }
      const rows = rowButtons(list.current);
      // Focus on a row's checkbox counts as focus on the row.
      const focused = rows.findIndex((row) => row.closest("li")?.contains(document.activeElement));
      const searching = event.target === field;
      const step = { ArrowDown: 1, ArrowUp: -1, KeyJ: 1, KeyK: -1 }[event.code];
      if (step === undefined) return;
      if (event.code.startsWith("Arrow") ? focused < 0 && !(searching && step > 0) : isTyping(event.target)) return;
      if (event.code === "ArrowUp" && focused === 0) {
        event.preventDefault();
        field?.focus();
        return;
      }
      const from = focused >= 0 || searching ? focused : rows.findIndex((row) => row.ariaCurrent === "true");
      const next = rows[from < 0 ? (step > 0 ? 0 : rows.length - 1) : from + step];
      if (!next) return;
      event.preventDefault();
      next.focus();
      next.scrollIntoView({ block: "nearest" });
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [list]);
}

/** Focuses the row of a conversation, or of a message found in it, once it is rendered. */
export function focusRow(list: HTMLElement | null, id: string, messageId: string | null) {
  requestAnimationFrame(() => {
    const rows = rowButtons(list).filter((row) => row.dataset.conversation === id);
    (rows.find((row) => messageId !== null && row.dataset.message === messageId) ?? rows[0])?.focus();
  });
}
