import { useRef } from "react";

/**
 * Ignores a call while the previous one runs. A busy button blocks a second click only once it is rendered as busy. The second
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
