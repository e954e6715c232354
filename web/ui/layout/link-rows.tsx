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
  return (
    <ul className="grid grid-cols-1 gap-x-10 border-t sm:grid-cols-2 lg:grid-cols-3">
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
