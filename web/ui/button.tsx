import { clsx } from "clsx";
import * as Slot from "radix-ui/slot";
import type { ComponentProps } from "react";
import { Spinner } from "./states/spinner.tsx";
import { toast } from "./toasts/toast.ts";

/** One `primary` per view. `danger` starts a destructive action, `danger-filled` is only for its confirmation. */
export type ButtonVariant = "primary" | "outline" | "ghost" | "danger" | "danger-filled";
type ButtonSize = "md" | "sm" | "icon";

interface ButtonProps extends ComponentProps<"button"> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  asChild?: boolean;
  /** Shows a spinner and blocks clicks; the caller provides the text («Создание...»). */
  busy?: boolean;
  /** A sentence why the action is not possible now or for this user; null when it is. Clicking then only shows the reason. */
  whyNot?: string | null | undefined;
}

const base =
  "inline-flex shrink-0 items-center justify-center gap-2 rounded-md border font-medium text-md whitespace-nowrap select-none " +
  "transition-[background-color,border-color,color,opacity] disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55";

const variants: Record<ButtonVariant, string> = {
  primary: "border-transparent bg-primary text-on-primary enabled:hover:bg-primary-hover [a&]:hover:bg-primary-hover",
  outline: "border-control bg-surface text-fg enabled:hover:bg-hover [a&]:hover:bg-hover aria-pressed:bg-hover",
  ghost: "border-transparent bg-transparent text-fg enabled:hover:bg-hover [a&]:hover:bg-hover aria-pressed:bg-hover",
  danger: "border-control bg-surface text-danger-text enabled:hover:border-danger enabled:hover:bg-danger-soft",
  "danger-filled": "border-transparent bg-danger text-on-danger enabled:hover:opacity-90",
};

const sizes: Record<ButtonSize, string> = {
  md: "h-control px-4",
  sm: "h-8 px-3 text-sm pointer-coarse:h-control",
  icon: "size-control",
};

export function buttonClass(variant: ButtonVariant = "outline", size: ButtonSize = "md", className?: string): string {
  return clsx(base, variants[variant], sizes[size], className);
}

export function Button({
  variant = "outline",
  size = "md",
  asChild,
  busy,
  className,
  children,
  disabled,
  type,
  whyNot,
  ...props
}: ButtonProps) {
  // Dimmed red is unreadable in the dark theme, so a destructive button is filled only when it is enabled.
  const look = buttonClass(disabled && variant === "danger-filled" ? "danger" : variant, size, className);
  if (whyNot) {
    const Element = asChild ? Slot.Root : "button";
    return (
      // It looks disabled, but is reached by the keyboard and by touch, where nothing else could tell the reason. A link stays a link.
      <Element
        {...props}
        {...(asChild ? {} : { type: "button" as const })}
        className={look}
        aria-disabled
        title={whyNot}
        onClick={(event) => {
          event.preventDefault();
          toast({ title: "Недоступно", description: whyNot, variant: "destructive" });
        }}
      >
        {children}
      </Element>
    );
  }
  if (asChild) {
    return (
      <Slot.Root className={look} {...props}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type={type ?? "button"}
      className={look}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...props}
    >
      {busy && <Spinner className="icon" />}
      {children}
    </button>
  );
}
