import { type RefObject, useEffect, useRef, useState } from "react";

/** A heading above the lower three quarters of the window is passed, however far above: a jump leaves none out. */
const READ_FROM = "100000px 0px -75% 0px";

/**
 * Which section of a long page is read: the first while nothing has been scrolled, however much of the page is in sight; then the last whose
 * heading has been passed, or the last of all at the page's end.
 * @param ids of the headings, from the top
 * @returns `end` is for an element below the last section
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
    // The sections come later than the address that names one of them.
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
