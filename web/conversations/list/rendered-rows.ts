import { type RefObject, startTransition, useEffect, useState } from "react";

/** More than a window holds. */
const FIRST = 24;
/** Few at once: a key that comes meanwhile waits for them. */
const STEP = 8;
/** Rows before the end of what is drawn; at them the next ones are drawn. */
const AHEAD = 6;

/**
 * How many rows of the list are drawn. A change between list and conversation lays out every row anew, and a key that comes after it waits
 * for that: rows out of sight are drawn once the reader nears them, by pointer, key or screen reader.
 * @param of what the list shows; another one begins at its top
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
  // What was once drawn stays, also the row of a conversation that has just been left.
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
