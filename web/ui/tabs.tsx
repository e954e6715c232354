import { clsx } from "clsx";
import * as RadixTabs from "radix-ui/tabs";
import type { ComponentProps } from "react";

export const Tabs = RadixTabs.Root;

/** `aria-label` names the set of tabs. Narrow screens scroll it sideways. */
export function TabsList({ className, ...props }: ComponentProps<typeof RadixTabs.List>) {
  return (
    <RadixTabs.List
      className={clsx("flex gap-1 overflow-x-auto border-border border-b [scrollbar-width:none]", className)}
      {...props}
    />
  );
}

export function TabsTrigger({ className, ...props }: ComponentProps<typeof RadixTabs.Trigger>) {
  return (
    <RadixTabs.Trigger
      className={clsx(
        "-mb-px h-control shrink-0 border-transparent border-b-2 px-3 font-medium text-md text-muted transition-colors hover:text-fg",
        "focus-visible:outline-offset-[-2px] data-[state=active]:border-primary data-[state=active]:text-primary-text",
        className,
      )}
      {...props}
    />
  );
}

export function TabsContent({ className, ...props }: ComponentProps<typeof RadixTabs.Content>) {
  return <RadixTabs.Content className={clsx("pt-5 focus-visible:outline-offset-4", className)} {...props} />;
}
