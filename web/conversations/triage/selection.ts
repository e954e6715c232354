import { useCallback, useMemo, useRef, useState } from "react";
import type { ShownConversation } from "../shown-conversation.ts";

export interface Selection {
  ids: ReadonlySet<string>;
  chosen: readonly ShownConversation[];
  /** `range`: all rows between this one and the one changed last get the same state. */
  toggle: (id: string, range?: boolean) => void;
  drop: (ids: readonly string[]) => void;
  clear: () => void;
}

/** Selection of rows in the list. Rows that leave the list are deselected. */
export function useSelection(shown: readonly ShownConversation[] | undefined): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string | null>(null);
  const chosen = useMemo(() => (ids.size === 0 ? [] : (shown ?? []).filter(({ id }) => ids.has(id))), [shown, ids]);
  // The functions keep their identity, so that a row is rendered again only when it changes.
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
