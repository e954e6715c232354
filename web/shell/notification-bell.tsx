import * as Popover from "radix-ui/popover";
import { Link } from "wouter";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/button.tsx";
import type { HeaderMenuProps } from "./header-menu.tsx";
import { RecentActivity } from "./recent-activity.tsx";
import { UnseenNotices } from "./unseen-notices.tsx";

/** What happened last, under the header's bell. */
export default function NotificationBell({ trigger }: HeaderMenuProps) {
  return (
    <Popover.Root defaultOpen>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label="Уведомления"
          lang="ru"
          className="z-50 w-[min(22rem,calc(100vw-1rem))] animate-pop-in rounded-lg border bg-surface shadow-2 focus:outline-none"
        >
          <UnseenNotices />
          <p className="border-b px-4 py-3 font-semibold text-md">Последняя активность</p>
          <RecentActivity />
          <div className="border-t p-2">
            <Popover.Close asChild>
              <Link href={paths.conversations} className={buttonClass("ghost", "sm", "w-full")}>
                Открыть диалоги
              </Link>
            </Popover.Close>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
