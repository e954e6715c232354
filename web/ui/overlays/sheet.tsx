import { clsx } from "clsx";
import { X } from "lucide-react";
import * as RadixDialog from "radix-ui/dialog";
import type { ReactNode } from "react";
import { buttonClass } from "../button.tsx";
import { Overlay } from "./dialog.tsx";
import { useFocusReturn } from "./focus-return.ts";

export const Sheet = RadixDialog.Root;

interface SheetContentProps {
  side?: "left" | "right";
  title: ReactNode;
  /** Keeps the title for screen readers only. */
  hideTitle?: boolean;
  /** Content of the title's row when the title itself is hidden. */
  heading?: ReactNode;
  className?: string;
  children: ReactNode;
}

export function SheetContent({ side = "left", title, hideTitle, heading, className, children }: SheetContentProps) {
  const focus = useFocusReturn();
  return (
    <RadixDialog.Portal>
      <Overlay />
      <RadixDialog.Content
        aria-describedby={undefined}
        onOpenAutoFocus={focus.remember}
        onCloseAutoFocus={focus.restore}
        className={clsx(
          "fixed inset-y-0 z-50 flex w-[min(20rem,calc(100vw-3rem))] pt-[var(--toast-room,0px)] flex-col overflow-y-auto overscroll-contain bg-surface shadow-3 focus:outline-none",
          side === "left" ? "left-0 animate-slide-in-left border-e" : "right-0 animate-slide-in-right border-s",
          className,
        )}
      >
        <div className="flex min-h-14 items-center justify-between gap-2 ps-4 pe-2">
          {heading}
          <RadixDialog.Title className={hideTitle ? "sr-only" : "text-lg"}>{title}</RadixDialog.Title>
          <RadixDialog.Close aria-label="Закрыть" className={buttonClass("ghost", "icon")}>
            <X aria-hidden className="icon" />
          </RadixDialog.Close>
        </div>
        {children}
      </RadixDialog.Content>
    </RadixDialog.Portal>
  );
}
