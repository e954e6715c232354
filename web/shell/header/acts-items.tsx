import { Fragment, use } from "react";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "#web/ui/overlays/dropdown-menu.tsx";
import { ActsContext } from "./acts.ts";
import type { HeaderMenuProps } from "./header-menu.tsx";

export default function ActsItems({ trigger }: HeaderMenuProps) {
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent lang="ru">
        {use(ActsContext).map(({ label, icon: Icon, onSelect, destructive = false, apart = false, className }) => (
          <Fragment key={label}>
            {apart && <DropdownMenuSeparator />}
            <DropdownMenuItem destructive={destructive} onSelect={onSelect} {...(className ? { className } : {})}>
              <Icon aria-hidden className={destructive ? "icon" : "icon text-muted"} />
              {label}
            </DropdownMenuItem>
          </Fragment>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
