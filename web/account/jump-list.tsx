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
    <nav aria-label="Разделы аккаунта" className="sticky top-(--header) z-10 border-b bg-bg">
      <ul ref={list} className="fade-edge relative flex gap-1 overflow-x-auto text-md [scrollbar-width:none]">
        {sections.map(({ id, label }) => (
          <li key={id} className="shrink-0">
            <a
              href={`#${id}`}
              aria-current={shown === id ? "location" : undefined}
              className="block rounded-md px-3 py-2 text-muted hover:bg-hover hover:text-fg aria-[current]:bg-primary-soft aria-[current]:text-primary-text"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
