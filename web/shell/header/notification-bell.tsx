import * as Popover from "radix-ui/popover";
import { Link } from "wouter";
import { useWaitingCounts } from "#web/parts/waiting/queries.ts";
import { waitingText } from "#web/parts/waiting/waiting-words.ts";
import { paths } from "#web/paths.ts";
import { buttonClass } from "#web/ui/button.tsx";
import type { HeaderMenuProps } from "./header-menu.tsx";
import { RecentActivity } from "./recent-activity.tsx";
import { UnseenNotices } from "./unseen-notices.tsx";

function WaitingLine() {
  const counts = useWaitingCounts();
  if (counts.answers + counts.acts === 0) return null;
  return (
    <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b bg-warning-soft px-4 py-3 text-md text-warning-text">
      {waitingText(counts)}
      <Popover.Close asChild>
        <Link href={paths.approvals} className="font-medium underline underline-offset-4">
          Посмотреть
        </Link>
      </Popover.Close>
    </p>
  );
}

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
          <WaitingLine />
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
