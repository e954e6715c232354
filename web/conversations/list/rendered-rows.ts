import { type RefObject, startTransition, useEffect, useState } from "react";

/** Initial number of rows, more than a window holds. */
const FIRST = 24;
/** Rows added at once; few, because a key pressed meanwhile waits for them. */
const STEP = 8;
/** The next rows are rendered when this many rows before the end come into view. */
const AHEAD = 6;

/**
 * Returns how many rows of the list to render. Switching between list and conversation lays out every row again and delays the next
 * key press. Therefore rows are rendered only once the reader nears them by pointer, key or screen reader.
 * @param of identifies the list's content; a change restarts at the top
 * @param least rows that are needed already
 */
export function useRenderedRowCount(
  list: RefObject<HTMLElement | null>,
  of: string,
  least: number,
  all: number,
): number {
  const [reached, setReached] = useState({ of, rows: FIRST });
  const drawn = Math.max(reached.of === of ? reached.rows : FIRST, least);
  // Rendered rows stay, including that of a conversation that has just been closed.
  if (reached.of !== of || reached.rows !== drawn) setReached({ of, rows: drawn });
  const whole = drawn >= all;
  useEffect(() => {
    const near = whole ? undefined : list.current?.querySelectorAll("li")[drawn - AHEAD];
    if (!near) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting))
        startTransition(() => setReached({ of, rows: drawn + STEP }));
    });
    observer.observe(near);
    return () => observer.disconnect();
  }, [list, of, drawn, whole]);
  return drawn;
}
