import { useCallback, useMemo, useRef, useState } from "react";
import type { ShownConversation } from "../shown-conversation.ts";

export interface Selection {
  ids: ReadonlySet<string>;
  /** The chosen conversations that the list shows, in its order. */
  chosen: readonly ShownConversation[];
  /** `range`: as that row becomes, so do all between it and the one that was last changed. */
  toggle: (id: string, range?: boolean) => void;
  drop: (ids: readonly string[]) => void;
  clear: () => void;
}

/** Which rows of the list are chosen. What leaves the list is chosen no longer. */
export function useSelection(shown: readonly ShownConversation[] | undefined): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string | null>(null);
  const chosen = useMemo(() => (ids.size === 0 ? [] : (shown ?? []).filter(({ id }) => ids.has(id))), [shown, ids]);
  // The functions stay the same, so that a row is drawn anew only when it changes.
  const latest = useRef({ shown, ids, last });
  latest.current = { shown, ids, last };
  const toggle = useCallback((id: string, range = false) => {
    const { shown, ids, last } = latest.current;
    const order = (shown ?? []).map((one) => one.id);
    const [from, to] = [order.indexOf(last ?? ""), order.indexOf(id)].sort((a, b) => a - b) as [number, number];
    const meant = range && from >= 0 ? order.slice(from, to + 1) : [id];
    const next = new Set(ids);
    const chooses = !ids.has(id);
    for (const one of meant) {
      if (chooses) next.add(one);
      else next.delete(one);
    }
    setIds(next);
    setLast(id);
  }, []);
  const drop = useCallback((gone: readonly string[]) => {
    setIds((now) => new Set([...now].filter((id) => !gone.includes(id))));
  }, []);
  const clear = useCallback(() => {
    setIds(new Set());
    setLast(null);
  }, []);
  return useMemo(() => ({ ids, chosen, toggle, drop, clear }), [ids, chosen, toggle, drop, clear]);
}
