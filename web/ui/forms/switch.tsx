import { clsx } from "clsx";
import * as RadixSwitch from "radix-ui/switch";
import type { ComponentProps } from "react";
import { useFieldControl } from "./field.tsx";

/** Requires a label: inside a Field, or `aria-label`. The state must also be written in text beside it. */
export function Switch({ className, ...props }: ComponentProps<typeof RadixSwitch.Root>) {
  return (
    <RadixSwitch.Root
      {...useFieldControl()}
      className={clsx(
        "relative h-6 w-11 shrink-0 rounded-full border border-control bg-sunken transition-colors",
        "data-[state=checked]:border-primary data-[state=checked]:bg-primary disabled:cursor-not-allowed disabled:opacity-55",
        // Touch needs a target of 44 px; the track keeps its size.
        "before:absolute before:-inset-3",
        className,
      )}
      {...props}
    >
      <RadixSwitch.Thumb className="block size-4 translate-x-[3px] rounded-full bg-control transition-transform data-[state=checked]:translate-x-[23px] data-[state=checked]:bg-on-primary" />
    </RadixSwitch.Root>
  );
}
