import { useEffect, useRef } from "react";

interface JumpListProps {
  sections: readonly { id: string; label: string }[];
  /** The id of the section that is read. */
  shown: string;
}

/** Ways to the sections of a long page, in a row that stays in sight under the header. */
export function JumpList({ sections, shown }: JumpListProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const link = list.current?.querySelector<HTMLElement>(`[href="#${shown}"]`);
    // The row scrolls sideways, never the page.
    if (list.current && link) list.current.scrollLeft = link.offsetLeft - list.current.clientWidth / 3;
  }, [shown]);
  return (
    <nav aria-label="Разделы аккаунта" className="sticky top-(--header) z-10 bg-bg">
      <ul
        ref={list}
        className="fade-edge relative flex gap-1 overflow-x-auto shadow-[inset_0_-1px_0_var(--border)] [scrollbar-width:none]"
      >
        {sections.map(({ id, label }) => (
          <li key={id} className="shrink-0">
            <a
              href={`#${id}`}
              aria-current={shown === id ? "location" : undefined}
              className="flex h-control items-center border-transparent border-b-2 px-3 font-medium text-md text-muted transition-colors hover:text-fg focus-visible:outline-offset-[-2px] aria-[current]:border-primary aria-[current]:text-primary-text"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
