import { type RefObject, useEffect, useRef, useState } from "react";

/** Margin of the observer: headings above the lower three quarters of the window count as passed, however far above. */
const READ_FROM = "100000px 0px -75% 0px";

/**
 * Returns the section of a long page that is being read: the first before any scrolling, then the last whose heading was passed, and
 * the last of all at the page's end.
 * @param ids of the headings, from the top
 * @returns `end` is the ref of an element below the last section
 */
export function useShownSection(ids: readonly string[]): { shown: string; end: RefObject<HTMLDivElement | null> } {
  const end = useRef<HTMLDivElement>(null);
  const [passed, setPassed] = useState<ReadonlySet<string>>(new Set());
  const [ended, setEnded] = useState(false);
  const [moved, setMoved] = useState(false);
  useEffect(() => {
    const headings = new IntersectionObserver(
      (entries) =>
        setPassed((before) => {
          const after = new Set(before);
          for (const { target, isIntersecting } of entries) {
            if (isIntersecting) after.add(target.id);
            else after.delete(target.id);
          }
          return after;
        }),
      { rootMargin: READ_FROM },
    );
    for (const id of ids) {
      const heading = document.getElementById(id);
      if (heading !== null) headings.observe(heading);
    }
    const bottom = new IntersectionObserver(([entry]) => setEnded(entry?.isIntersecting ?? false));
    if (end.current !== null) bottom.observe(end.current);
    // The sections render after the address that names one of them.
    const named = location.hash.slice(1);
    if (ids.includes(named)) document.getElementById(named)?.scrollIntoView();
    const look = () => setMoved(scrollY > 0);
    look();
    addEventListener("scroll", look, { passive: true });
    return () => {
      removeEventListener("scroll", look);
      headings.disconnect();
      bottom.disconnect();
    };
  }, [ids]);
  const reached = ended ? ids.at(-1) : ids.findLast((id) => passed.has(id));
  return { shown: (moved && reached) || ids[0]!, end };
}
