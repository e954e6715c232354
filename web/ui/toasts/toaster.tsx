import { clsx } from "clsx";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import * as Toast from "radix-ui/toast";
import { useLayoutEffect, useRef } from "react";
import { buttonClass } from "../button.tsx";
import { TOAST_MS, useToast } from "./toast.ts";
import { setToastHeight } from "./toast-room.ts";

/** The notification region; F8 moves the focus into it. */
export function Toaster() {
  const { toasts, dismiss } = useToast();
  const viewport = useToastHeight();
  return (
    // All toasts stay for the specified time, longer only while hovered or focused.
    <Toast.Provider label="Уведомление" duration={TOAST_MS} swipeDirection="right" swipeThreshold={50}>
      {toasts.map(({ id, open, title, description, variant }) => {
        const Icon = variant === "destructive" ? CircleAlert : CircleCheck;
        return (
          <Toast.Root
            key={id}
            open={open}
            onOpenChange={(next) => {
              if (!next) dismiss(id);
            }}
            // On a phone a title of two lines is no higher than the header that it covers.
            className="flex animate-slide-in-down items-start gap-3 rounded-lg border bg-surface py-3 ps-4 pe-2 shadow-2 max-sm:py-1.5 data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)"
          >
            <Icon
              aria-hidden
              className={`icon mt-0.5 max-sm:mt-1 ${variant === "destructive" ? "text-danger-text" : "text-success-text"}`}
            />
            <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 py-px">
              <Toast.Title
                className={clsx(
                  "font-semibold text-md max-sm:text-sm",
                  variant === "destructive" ? "text-danger-text" : "text-fg",
                  description && typeof description !== "string" && "flex-1 basis-40",
                )}
              >
                {title}
              </Toast.Title>
              {description && (
                // Text is below the title, buttons beside it where there is space.
                <Toast.Description
                  className={
                    typeof description === "string"
                      ? "mt-0.5 line-clamp-6 w-full text-md text-muted max-sm:text-sm"
                      : ""
                  }
                >
                  {description}
                </Toast.Description>
              )}
            </div>
            <Toast.Close aria-label="Закрыть уведомление" className={buttonClass("ghost", "icon", "-my-1.5")}>
              <X aria-hidden className="icon" />
            </Toast.Close>
          </Toast.Root>
        );
      })}
      <Toast.Viewport
        ref={viewport}
        label="Уведомления ({hotkey})"
        lang="ru"
        // Below the header: at the bottom toasts would cover the input field. They are above a dialog, which covers the header and starts
        // below the toasts. On a phone they cover the header itself, because the user's work is below it.
        className="pointer-events-none fixed end-0 top-(--header) z-60 flex [html:has([data-scroll-lock])_&]:top-0 w-full max-w-[420px] flex-col gap-2 max-sm:top-0 max-sm:p-2 p-4 outline-none *:pointer-events-auto"
      />
    </Toast.Provider>
  );
}

/** Reports to dialogs how much of the window's top the toasts take. */
function useToastHeight() {
  const viewport = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    const list = viewport.current;
    if (!list) return;
    // An empty list still has its padding, which must not count.
    const observer = new ResizeObserver(() => setToastHeight(list.childElementCount > 0 ? list.offsetHeight : 0));
    observer.observe(list);
    return () => {
      observer.disconnect();
      setToastHeight(0);
    };
  }, []);
  return viewport;
}
