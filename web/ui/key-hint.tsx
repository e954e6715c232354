/** The shortcut key of a button, for users with a keyboard; it is not part of the button's accessible name. */
export const KeyHint = ({ children }: { children: string }) => (
  <kbd aria-hidden className="hidden font-sans text-sm opacity-80 md:inline">
    {children}
  </kbd>
);
