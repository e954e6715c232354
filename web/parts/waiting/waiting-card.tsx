import { Inbox } from "lucide-react";
import { Link } from "wouter";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/button.tsx";
import { useWaitingCount } from "./queries.ts";
import { waitingText } from "./waiting-words.ts";

/** On the dashboard while something waits: how much, and the way to it. */
export function WaitingCard() {
  const count = useWaitingCount();
  return (
    <div role="status" className="empty:hidden">
      {count > 0 && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border bg-warning-soft p-4 text-warning-text md:px-5">
          <Inbox aria-hidden className="icon" />
          <p className="min-w-0 flex-1 basis-56 text-md">
            <b className="font-semibold">{waitingText(count)}</b> Пока вы не решите, собеседник ждёт.
          </p>
          <Button asChild size="sm">
            <Link href={paths.approvals}>Посмотреть</Link>
          </Button>
        </div>
      )}
    </div>
  );
}
