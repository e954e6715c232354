import { type RefObject, useEffect, useRef } from "react";
import { isTyping } from "#web/ui/typing.ts";

const ACTS: Record<string, string> = { KeyA: "send", KeyE: "edit", KeyR: "reject" };

/**
 * Keys of the focused draft: A sends, E edits, R rejects. Without focus they do nothing, so that an accidental key press
 * decides nothing (WCAG 2.1.4). They are layout-independent (`KeyboardEvent.code`).
 */
export function useActKeys(box: RefObject<HTMLElement | null>) {
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const act = ACTS[event.code];
      if (act === undefined || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!(event.target instanceof Element) || isTyping(event.target) || !box.current?.contains(event.target)) return;
      const article = event.target.closest("article");
      const button = article?.querySelector<HTMLButtonElement>(`[data-act=${act}]`);
      // When the twin knows no answer, the field is open already and there is no edit button.
      const field = act === "edit" && !button ? article?.querySelector("textarea") : null;
      if (!field && (!button || button.disabled)) return;
      event.preventDefault();
      if (field) return field.focus();
      button?.click();
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [box]);
}

/**
 * J and K (or N) move between drafts; the first press focuses the one that is shown.
 * @param go moves by a number of drafts
 */
export function useDraftListKeys(box: RefObject<HTMLElement | null>, go: (step: number) => boolean) {
  useActKeys(box);
  // The listener is registered once and always calls the handler of the latest render.
  const latest = useRef(go);
  latest.current = go;
  useEffect(() => {
    function press(event: KeyboardEvent) {
      const step = { KeyJ: 1, KeyN: 1, KeyK: -1 }[event.code];
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (latest.current(box.current?.contains(document.activeElement) ? step : 0)) event.preventDefault();
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [box]);
}
