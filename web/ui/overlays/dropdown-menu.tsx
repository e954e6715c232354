import { clsx } from "clsx";
import { Check } from "lucide-react";
import * as Menu from "radix-ui/dropdown-menu";
import type { ComponentProps } from "react";

/** Not modal: a modal menu locks the page with a `<style>`, which the content security policy blocks. */
export function DropdownMenu(props: ComponentProps<typeof Menu.Root>) {
  return <Menu.Root modal={false} {...props} />;
}
export const DropdownMenuTrigger = Menu.Trigger;
export const DropdownMenuRadioGroup = Menu.RadioGroup;

/** Rendered in place in the document, so that it belongs to the landmark of its button. */
export function DropdownMenuContent({ className, align = "end", ...props }: ComponentProps<typeof Menu.Content>) {
  return (
    <Menu.Content
      align={align}
      sideOffset={6}
      collisionPadding={8}
      className={clsx(
        "z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 animate-pop-in overflow-y-auto rounded-lg border bg-surface p-1.5 shadow-2 focus:outline-none",
        className,
      )}
      {...props}
    />
  );
}

const item =
  "flex min-h-9 pointer-coarse:min-h-control cursor-pointer select-none items-center gap-2.5 rounded-sm px-2.5 py-1.5 text-md outline-none " +
  "data-[disabled]:pointer-events-none data-[highlighted]:bg-hover data-[disabled]:opacity-55";

interface ItemProps extends ComponentProps<typeof Menu.Item> {
  destructive?: boolean;
}

export function DropdownMenuItem({ className, destructive, ...props }: ItemProps) {
  return <Menu.Item className={clsx(item, destructive && "text-danger-text", className)} {...props} />;
}

export function DropdownMenuRadioItem({ className, children, ...props }: ComponentProps<typeof Menu.RadioItem>) {
  return (
    <Menu.RadioItem className={clsx(item, "justify-between", className)} {...props}>
      <span className="flex items-center gap-2.5">{children}</span>
      <Menu.ItemIndicator>
        <Check aria-hidden className="icon text-primary-text" />
      </Menu.ItemIndicator>
    </Menu.RadioItem>
  );
}

export function DropdownMenuLabel({ className, ...props }: ComponentProps<typeof Menu.Label>) {
  return <Menu.Label className={clsx("px-2.5 py-1.5 text-sm text-subtle", className)} {...props} />;
}

export function DropdownMenuSeparator() {
  return <Menu.Separator className="-mx-1.5 my-1.5 h-px bg-border" />;
}
