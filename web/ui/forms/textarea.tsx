import { clsx } from "clsx";
import type { ComponentProps } from "react";
import { controlClass, useFieldControl } from "./field.tsx";

/** Grows with its text up to 20 lines in browsers that support `field-sizing`. */
export function Textarea({ className, rows = 4, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      rows={rows}
      {...useFieldControl()}
      className={clsx(controlClass, "field-sizing-content max-h-[32rem] min-h-24 resize-y px-3 py-2", className)}
      {...props}
    />
  );
}
