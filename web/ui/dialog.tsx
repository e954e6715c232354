import { clsx } from "clsx";
import { X } from "lucide-react";
import * as RadixDialog from "radix-ui/dialog";
import { type ComponentProps, type ReactNode, useLayoutEffect, useState } from "react";
import { buttonClass } from "./button.tsx";
import { useFocusReturn } from "./focus-return.ts";

export const Dialog = RadixDialog.Root;
export const DialogTrigger = RadixDialog.Trigger;
export const DialogClose = RadixDialog.Close;

/** Radix's own overlay writes a `<style>` to lock the page; ours marks itself and `theme.css` locks. */
export function Overlay() {
  // Measured while the page still scrolls, so that nothing jumps sideways when the bar goes.
  const [lostScrollbar] = useState(() => innerWidth - document.documentElement.clientWidth);
  useLayoutEffect(() => {
    document.documentElement.style.setProperty("--lost-scrollbar", `${lostScrollbar}px`);
  }, [lostScrollbar]);
  return <div data-scroll-lock className="fixed inset-0 z-40 animate-fade-in bg-overlay" />;
}

const widths = { sm: "max-w-md", md: "max-w-xl", lg: "max-w-3xl" } as const;

interface DialogContentProps extends Omit<ComponentProps<typeof RadixDialog.Content>, "title"> {
  title: ReactNode;
  description?: ReactNode;
  size?: keyof typeof widths;
}

export function DialogContent({ title, description, size = "md", className, children, ...props }: DialogContentProps) {
  const focus = useFocusReturn();
  return (
    <RadixDialog.Portal>
      <Overlay />
      <RadixDialog.Content
        onOpenAutoFocus={focus.remember}
        onCloseAutoFocus={focus.restore}
        {...(description ? {} : { "aria-describedby": undefined })}
        lang="ru"
        className={clsx(
          "fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] -translate-x-1/2 -translate-y-1/2 animate-pop-in flex-col",
          "overflow-y-auto rounded-lg border bg-surface p-5 shadow-3 focus:outline-none md:p-6",
          widths[size],
          className,
        )}
        {...props}
      >
        <header className="mb-4 pe-10">
          <RadixDialog.Title className="text-lg">{title}</RadixDialog.Title>
          {description && (
            <RadixDialog.Description className="mt-1 text-md text-muted">{description}</RadixDialog.Description>
          )}
        </header>
        {children}
        {/* Last, so that the first field takes the focus. */}
        <RadixDialog.Close aria-label="Закрыть" className={buttonClass("ghost", "icon", "absolute end-3 top-3")}>
          <X aria-hidden className="icon" />
        </RadixDialog.Close>
      </RadixDialog.Content>
    </RadixDialog.Portal>
  );
}

/** Buttons at the end of a dialog: on a phone stacked, the main one first. */
export function DialogFooter({ className, ...props }: ComponentProps<"div">) {
  return <div className={clsx("mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end", className)} {...props} />;
}
