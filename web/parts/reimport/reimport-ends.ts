import { useEffect, useRef } from "react";
import type { ReimportState } from "#contract/knowledge/reimport.ts";
import { ENDED } from "#contract/tags.ts";
import { refresh } from "#web/api/refresh.ts";
import { TOAST_MS, toast } from "#web/ui/toasts/toast.ts";

/** How often a list is read anew while one of its histories is being read. */
const POLL_MS = 2_000;

interface ReimportRow {
  id: string;
  name: string;
  reimport?: ReimportState | null | undefined;
}

interface Asked {
  state: { data?: readonly Pick<ReimportRow, "reimport">[] | undefined };
}

/** For `refetchInterval` of a list. */
export const whileReimporting = ({ state }: Asked): number | false =>
  state.data?.some(({ reimport }) => reimport?.running) ? POLL_MS : false;

/** Begun here, by when: one that ends before the list is read again was never seen running. */
const begun = new Map<string, number>();
export const reimportBegan = (id: string) => void begun.set(id, Date.now());

/**
 * Tells when a history that was being read has been read, and reads every figure of it anew.
 * @param readAt when `rows` came, ms
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

/** Only one toast is visible, so the one that says that it has begun keeps its time. */
function announceAfterStart(name: string, state: ReimportState, beganAt = 0) {
  const rest = beganAt + TOAST_MS - Date.now();
  if (rest > 0) setTimeout(announce, rest, name, state);
  else announce(name, state);
}

function announce(name: string, { failure }: ReimportState) {
  if (failure === null) toast({ title: "Импорт завершен!", description: `${name}: новые сообщения добавлены` });
  else toast({ title: "Ошибка импорта", description: failure, variant: "destructive" });
}
