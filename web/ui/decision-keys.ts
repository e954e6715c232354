import { type RefObject, useEffect, useRef } from "react";

/**
 * Shortcut keys for decisions one after another, independent of the keyboard layout. Fields keep their letters, buttons their Enter and
 * space.
 * @param press handles a key; returns whether it has a meaning here
 */
export function useDecisionKeys(box: RefObject<HTMLElement | null>, press: (code: string) => boolean) {
  // The listener is registered once and always calls the handler of the latest render.
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
      const target = event.target as HTMLElement;
      // After a navigation the focus is on the heading, after a change of tabs on the tab; the keys must work there too.
      const own = target.matches("body, h1, [role=tab]") || box.current?.contains(target) === true;
      if (!own || target.closest("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]"))
        return;
      if (event.code === "Enter" && target.closest("button, a, summary")) return;
      if (event.code === "Space" && target.closest("button, input, summary")) return;
      if (latest.current(event.code)) event.preventDefault();
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [box]);
}
