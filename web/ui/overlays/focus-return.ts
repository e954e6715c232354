import { useRef } from "react";

/**
 * Returns the focus to where it was before a dialog opened. Radix does so only for dialogs with a Trigger. A dialog that was
 * opened from a menu's item returns it to the menu's button, because the item is gone.
 */
export function useFocusReturn() {
  const opener = useRef<HTMLElement | null>(null);
  return {
    remember() {
      const active = document.activeElement;
      const menu = active?.closest('[role="menu"]');
      const button = menu && document.getElementById(menu.getAttribute("aria-labelledby") ?? "");
      opener.current = button ?? (active instanceof HTMLElement ? active : null);
    },
    restore(event: Event) {
      if (!opener.current?.isConnected) return;
      event.preventDefault();
      opener.current.focus();
    },
  };
}
