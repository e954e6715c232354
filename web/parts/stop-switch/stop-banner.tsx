import { OctagonX } from "lucide-react";
import { formatRecent } from "#web/i18n/format.ts";
import { Button } from "#web/ui/button.tsx";
import { useSetStopSwitch, useStopSwitch } from "./queries.ts";

/** Banner on every screen while all twins are stopped: who stopped them, when, and how to start them again. */
export function StopBanner() {
  const { data } = useStopSwitch();
  const set = useSetStopSwitch();
  return (
    <div role="status" lang="ru">
      {data?.stopped && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t bg-warning-soft px-page py-2 text-md text-warning-text">
          <p className="flex min-w-0 flex-1 basis-60 gap-2.5">
            <OctagonX aria-hidden className="icon mt-0.5" />
            <span className="min-w-0">
              <b className="font-semibold">Все двойники остановлены.</b> {whoAndWhen(data)} Ответы ждут черновиками.
              {!data.mayResume && " Включить их может администратор или тот, кто остановил."}
            </span>
          </p>
          {data.mayResume && (
            <Button size="sm" busy={set.isPending} onClick={() => set.mutate(false)}>
              Включить двойников
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function whoAndWhen({ by, since }: { by: string | null; since: string | null }): string {
  const parts = [by, since && formatRecent(since)].filter(Boolean);
  return parts.length > 0 ? `${parts.join(", ")}.` : "";
}
