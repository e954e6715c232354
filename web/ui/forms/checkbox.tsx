import { clsx } from "clsx";
import type { ComponentProps, ReactNode } from "react";

interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  children: ReactNode;
}

/** The browser's own checkbox in the product's colour, with its label; `className` applies to the whole row. */
export function Checkbox({ className, children, ...props }: CheckboxProps) {
  return (
    <label className={clsx("flex cursor-pointer items-start gap-3 text-md has-disabled:cursor-not-allowed", className)}>
      {/* As high as a line of text, so that the checkbox is centred on the first line. */}
      <span className="flex h-[1.5em] shrink-0 items-center">
        <input type="checkbox" className="size-4.5 cursor-[inherit] accent-primary" {...props} />
      </span>
      <span className="min-w-0 flex-1">{children}</span>
    </label>
  );
}
