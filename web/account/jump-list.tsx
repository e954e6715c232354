import { clsx } from "clsx";
import { useEffect, useRef } from "react";

interface JumpListProps {
  sections: readonly { id: string; label: string }[];
  /** The id of the section that is read. */
  shown: string;
}

/** Ways to the sections of a long page, in a row that stays in sight under the header. It does not look like tabs: nothing is hidden. */
export function JumpList({ sections, shown }: JumpListProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const link = list.current?.querySelector<HTMLElement>(`[href="#${shown}"]`);
    // The row scrolls sideways, never the page.
    if (list.current && link) list.current.scrollLeft = link.offsetLeft - list.current.clientWidth / 3;
  }, [shown]);
  return (
    <nav aria-label="Разделы аккаунта" className="sticky top-(--header) z-10 bg-bg">
      <ul ref={list} className="fade-edge relative flex gap-1 overflow-x-auto py-1 [scrollbar-width:none]">
        {sections.map(({ id, label }) => (
          <li key={id} className="shrink-0">
            <a
              href={`#${id}`}
              aria-current={shown === id ? "location" : undefined}
              className={clsx(
                "flex h-control items-center rounded-full px-3 font-medium text-md transition-colors focus-visible:outline-offset-[-2px]",
                shown === id ? "bg-primary-soft text-primary-text" : "text-muted hover:text-fg",
              )}
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
