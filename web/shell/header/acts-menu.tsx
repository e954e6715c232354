import { Ellipsis, type LucideIcon } from "lucide-react";
import { createContext } from "react";
import { HeaderMenu, lateMenu } from "./header-menu.tsx";

/** An act of the screen, in words behind «Ещё» where a bar has no room for its button. */
export interface MenuAct {
  label: string;
  icon: LucideIcon;
  onSelect: () => void;
  destructive?: boolean;
  /** Whether a line parts it from those before. */
  apart?: boolean;
  className?: string;
}

interface ActsMenuProps {
  label: string;
  acts: readonly MenuAct[];
  className?: string;
}

/** What the menu offers: its module is fetched late, through a button that visitors' pages have too and that passes nothing on. */
export const ActsContext = createContext<readonly MenuAct[]>([]);

const items = lateMenu(() => import("./acts-items.tsx"), "menu");

export function ActsMenu({ label, acts, className }: ActsMenuProps) {
  return (
    <ActsContext value={acts}>
      <HeaderMenu of={items} label={label} {...(className ? { className } : {})}>
        <Ellipsis aria-hidden className="icon" />
      </HeaderMenu>
    </ActsContext>
  );
}
