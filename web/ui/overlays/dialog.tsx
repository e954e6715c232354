import { clsx } from "clsx";
import { X } from "lucide-react";
import * as RadixDialog from "radix-ui/dialog";
import { type ComponentProps, type ReactNode, useLayoutEffect, useState } from "react";
import { buttonClass } from "../button.tsx";
import { useToastRoom } from "../toasts/toast-room.ts";
import { useFocusReturn } from "./focus-return.ts";

export const Dialog = RadixDialog.Root;
export const DialogClose = RadixDialog.Close;

/** Radix's own overlay writes a `<style>` to lock the page; this one sets an attribute, and `theme.css` locks. */
export function Overlay() {
  useToastRoom();
  // Measured while the page still scrolls, so that nothing jumps sideways when the scrollbar disappears.
  const [lostScrollbar] = useState(() => innerWidth - document.documentElement.clientWidth);
  useLayoutEffect(() => {
    document.documentElement.style.setProperty("--lost-scrollbar", `${lostScrollbar}px`);
  }, [lostScrollbar]);
  return <div data-scroll-lock className="fixed inset-0 z-40 animate-fade-in bg-overlay" />;
}

/** Centres a dialog in the window, or in the space below toasts that would cover its top. */
export function DialogPlace({ children }: { children: ReactNode }) {
  return (
    <div className="pointer-events-none fixed inset-x-0 top-0 z-50 flex h-dvh flex-col items-center px-4 before:min-h-[max(1rem,var(--toast-room,0px))] before:flex-1 after:min-h-4 after:flex-1">
      {children}
    </div>
  );
}

export const dialogFrame =
  "pointer-events-auto relative w-full min-h-0 animate-pop-in overflow-y-auto rounded-lg border bg-surface p-5 shadow-3 focus:outline-none md:p-6";

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
      <DialogPlace>
        <RadixDialog.Content
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.restore}
          {...(description ? {} : { "aria-describedby": undefined })}
          lang="ru"
          className={clsx("flex flex-col", dialogFrame, widths[size], className)}
          {...props}
        >
          <header className="mb-4 pe-10">
            <RadixDialog.Title className="text-lg">{title}</RadixDialog.Title>
            {description && (
              <RadixDialog.Description className="mt-1 text-md text-muted">{description}</RadixDialog.Description>
            )}
          </header>
          {children}
          {/* Last in the DOM, so that the first field takes the focus. */}
          <RadixDialog.Close aria-label="Закрыть" className={buttonClass("ghost", "icon", "absolute end-3 top-3")}>
            <X aria-hidden className="icon" />
          </RadixDialog.Close>
        </RadixDialog.Content>
      </DialogPlace>
    </RadixDialog.Portal>
  );
}

/** Buttons at the end of a dialog: on a phone stacked, the main one first. */
export function DialogFooter({ className, ...props }: ComponentProps<"div">) {
  return <div className={clsx("mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end", className)} {...props} />;
}
