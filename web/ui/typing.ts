/** Whether a key pressed in this element is text or belongs to a dialog, and is no shortcut of the page. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.matches("input:not([type=checkbox]), textarea, select") ||
    target.closest("[role=dialog], [role=alertdialog]") !== null
  );
}
