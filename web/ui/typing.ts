/** Whether a key pressed there is text or an answer to a dialog, and no shortcut of the page. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.matches("input:not([type=checkbox]), textarea, select") ||
    target.closest("[role=dialog], [role=alertdialog]") !== null
  );
}
