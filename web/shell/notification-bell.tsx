import { Bell } from "lucide-react";
import * as Popover from "radix-ui/popover";
import { lazy, Suspense } from "react";
import { notificationBadge } from "#web/display-values.ts";
import { buttonClass } from "#web/ui/button.tsx";
import { LoadingStatus } from "#web/ui/spinner.tsx";

const RecentActivity = lazy(() => import("./recent-activity.tsx"));

/** The bell with its specified badge; it opens what happened last. */
export function NotificationBell() {
  return (
    <Popover.Root>
      <Popover.Trigger
        aria-label={`Уведомления: ${notificationBadge}`}
        className={buttonClass("ghost", "icon", "relative")}
      >
        <Bell aria-hidden className="icon" />
        <span
          aria-hidden
          className="absolute end-0.5 top-0.5 inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-full bg-danger px-1 font-semibold text-on-danger text-xs leading-none"
        >
          {notificationBadge}
        </span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Уведомления"
          lang="ru"
          className="z-50 w-[min(22rem,calc(100vw-1rem))] animate-pop-in rounded-lg border bg-surface shadow-2 focus:outline-none"
        >
          <p className="border-b px-4 py-3 font-semibold text-md">Последняя активность</p>
          <Suspense fallback={<LoadingStatus className="py-8">Загрузка...</LoadingStatus>}>
            <RecentActivity />
          </Suspense>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
