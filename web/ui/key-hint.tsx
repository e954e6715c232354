/** The key that presses the button it stands on, for those who have a keyboard; the button itself is named without it. */
export const KeyHint = ({ children }: { children: string }) => (
  <kbd aria-hidden className="hidden font-sans text-sm opacity-80 md:inline">
    {children}
  </kbd>
);
