import { type RefObject, useEffect, useRef } from "react";
import { isTyping } from "#web/ui/typing.ts";
import type { ShownConversation } from "../shown-conversation.ts";
import type { Selection } from "./selection.ts";
import type { Triage } from "./triage.tsx";

const ASKS: Record<string, "snooze" | "label"> = { KeyH: "snooze", KeyL: "label" };

interface TriageKeys {
  list: RefObject<HTMLElement | null>;
  shown: readonly ShownConversation[] | undefined;
  selection: Selection;
  triage: Triage;
}

/**
 * Shortcut keys: X selects the focused row, H snoozes and L labels the selection, otherwise the focused row, otherwise the open
 * conversation; «?» lists the keys. Letters are layout-independent (`KeyboardEvent.code`); «?» depends on the layout.
 */
export function useTriageKeys(keys: TriageKeys) {
  // The listener is registered once and always sees the latest render.
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    function press(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
      if (isTyping(event.target)) return;
      const { list, shown, selection, triage } = latest.current;
      if (event.key === "?") {
        event.preventDefault();
        return triage.ask("keys");
      }
      const row = (document.activeElement as HTMLElement | null)?.closest("li");
      const focused = row && list.current?.contains(row) ? row.querySelector<HTMLElement>("[data-conversation]") : null;
      const id = focused?.dataset.conversation;
      if (event.code === "KeyX" && id !== undefined && triage.may) {
        event.preventDefault();
        selection.toggle(id, event.shiftKey);
      }
      const what = ASKS[event.code];
      if (what === undefined || event.shiftKey || !triage.may) return;
      const meant = selection.chosen.length > 0 ? selection.chosen : (shown ?? []).filter((one) => one.id === id);
      const ofThread = document.querySelector<HTMLElement>(`[data-thread-act=${what}]`);
      if (meant.length === 0 && !ofThread) return;
      event.preventDefault();
      if (meant.length > 0) triage.ask(what, meant);
      else ofThread?.click();
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}
