import { useRef } from "react";

/**
 * Brings the focus back to where it was before a dialog opened. Radix does it only for dialogs with a Trigger;
 * one that was opened from a menu's item returns to the menu's button, since the item is gone.
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
