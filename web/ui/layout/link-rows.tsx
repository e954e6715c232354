import { clsx } from "clsx";
import type { LucideIcon } from "lucide-react";
import { Link } from "wouter";

export interface LinkRow {
  to: string;
  icon: LucideIcon;
  name: string;
  about: string;
}

/** Links to other screens as rows in columns, without a card, because cards are for self-contained objects. */
export function LinkRows({ rows }: { rows: readonly LinkRow[] }) {
  // An even number of rows fills two columns, where three would leave a ragged end.
  const even = rows.length % 3 !== 0 && rows.length % 2 === 0;
  return (
    <ul className={clsx("grid grid-cols-1 gap-x-10 border-t sm:grid-cols-2", !even && "lg:grid-cols-3")}>
      {rows.map(({ to, icon: Icon, name, about }) => (
        <li key={to} className="border-b">
          <Link href={to} className="flex items-start gap-3 rounded-md py-3 hover:text-primary-text">
            <Icon aria-hidden className="icon mt-0.5 shrink-0 text-muted" />
            <span className="min-w-0">
              <span className="block font-medium text-md">{name}</span>
              <span className="block text-muted text-sm">{about}</span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
