import { useEffect } from "react";

/** Handles Esc anywhere on the page, unless a dialog or an input method has used the key. */
export function useEscape(enabled: boolean, act: (event: KeyboardEvent) => void) {
  useEffect(() => {
    if (!enabled) return;
    function press(event: KeyboardEvent) {
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
      act(event);
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [enabled, act]);
}
