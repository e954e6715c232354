import { clsx } from "clsx";

interface JumpListProps {
  sections: readonly { id: string; label: string }[];
  shown: string;
}

/**
 * Links to the sections of a long page. Where there is space they stay below the header. They do not look like tabs, because no section is
 * hidden.
 */
export function JumpList({ sections, shown }: JumpListProps) {
  return (
    <nav aria-label="Разделы аккаунта" className="sticky top-(--header) z-10 bg-bg max-md:static">
      <ul className="relative flex flex-wrap gap-1 py-1">
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
