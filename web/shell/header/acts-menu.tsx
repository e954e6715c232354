import { Ellipsis } from "lucide-react";
import { ActsContext, type MenuAct } from "./acts.ts";
import { createLazyMenu, HeaderMenu } from "./header-menu.tsx";

interface ActsMenuProps {
  label: string;
  acts: readonly MenuAct[];
  className?: string;
}

const items = createLazyMenu(() => import("./acts-items.tsx"), "menu");

export function ActsMenu({ label, acts, className }: ActsMenuProps) {
  return (
    <ActsContext value={acts}>
      <HeaderMenu of={items} label={label} {...(className ? { className } : {})}>
        <Ellipsis aria-hidden className="icon" />
      </HeaderMenu>
    </ActsContext>
  );
}
