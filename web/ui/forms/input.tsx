import { clsx } from "clsx";
import type { ComponentProps } from "react";
import { controlClass, useFieldControl } from "./field.tsx";

export function Input({ className, type = "text", ...props }: ComponentProps<"input">) {
  return (
    <input type={type} {...useFieldControl()} className={clsx(controlClass, "h-control px-3", className)} {...props} />
  );
}
