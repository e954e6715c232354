import { useEffect, useRef } from "react";
import type { ReimportState } from "#contract/knowledge/reimport.ts";
import { ENDED } from "#contract/tags.ts";
import { refresh } from "#web/api/refresh.ts";
import { TOAST_MS, toast } from "#web/ui/toasts/toast.ts";

/** Polling interval of a list while one of its histories is being imported. */
const POLL_MS = 2_000;

interface ReimportRow {
  id: string;
  name: string;
  reimport?: ReimportState | null | undefined;
}

interface Asked {
  state: { data?: readonly Pick<ReimportRow, "reimport">[] | undefined };
}

export const whileReimporting = ({ state }: Asked): number | false =>
  state.data?.some(({ reimport }) => reimport?.running) ? POLL_MS : false;

/** Imports started here and when. A short one may end before the list is refetched, so it is never seen running. */
const begun = new Map<string, number>();
export const reimportBegan = (id: string) => void begun.set(id, Date.now());

/**
 * Reports the end of reimports in a toast and refetches all figures.
 * @param readAt when `rows` were loaded, in ms
 */
export function useReimportEnds(rows: readonly ReimportRow[] | undefined, readAt: number) {
  const running = useRef(new Set<string>());
  useEffect(() => {
    for (const { id, name, reimport } of rows ?? []) {
      if (!reimport) continue;
      const beganAt = begun.get(id);
      if (reimport.running) {
        running.current.add(id);
      } else if (running.current.has(id) || (beganAt !== undefined && beganAt < readAt)) {
        running.current.delete(id);
        begun.delete(id);
        announceAfterStart(name, reimport, beganAt);
        refresh({ tags: ENDED.reimport });
      }
    }
  }, [rows, readAt]);
}

/** Delays the toast, because only one is visible and the start's toast must keep its time. */
function announceAfterStart(name: string, state: ReimportState, beganAt = 0) {
  const rest = beganAt + TOAST_MS - Date.now();
  if (rest > 0) setTimeout(announce, rest, name, state);
  else announce(name, state);
}

function announce(name: string, { failure }: ReimportState) {
  if (failure === null) toast({ title: "Импорт завершен!", description: `${name}: новые сообщения добавлены` });
  else toast({ title: "Ошибка импорта", description: failure, variant: "destructive" });
}
