import { useRef } from "react";

/**
 * Ignores a call while the last one runs. A busy button refuses a second press only once it is drawn as busy, and the second
 * half of a double click, or of a double Enter, may come before that.
 */
export function useSingleFlight<Args extends unknown[]>(
  act: (...args: Args) => Promise<unknown>,
): (...args: Args) => Promise<void> {
  const running = useRef(false);
  return async (...args) => {
    if (running.current) return;
    running.current = true;
    try {
      await act(...args);
    } finally {
      running.current = false;
    }
  };
}
