import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { controlClass, useFieldControl } from "./field.tsx";

interface SelectProps extends ComponentProps<"select"> {
  placeholder?: string;
}

/** The browser's own select: a phone shows its native list, and no `<style>` is written into the page. */
export function Select({ className, placeholder, children, ...props }: SelectProps) {
  return (
    <span className={clsx("relative flex min-w-0", className)}>
      <select
        {...useFieldControl()}
        className={clsx(controlClass, "h-control appearance-none truncate ps-3 pe-10")}
        {...props}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="icon pointer-events-none absolute end-3 top-1/2 -translate-y-1/2 text-muted"
      />
    </span>
  );
}
