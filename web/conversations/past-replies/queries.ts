import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useState } from "react";
import { approvalsApi } from "#contract/approvals.ts";
import { queryOf } from "#web/api.ts";

/** A letter that has been deleted meanwhile is not shown for longer. */
const FRESH_MS = 60_000;

/** A failure shows nothing: the draft is decided on without them. */
export function usePastReplies(answerId: string, enabled: boolean) {
  return useQuery({
    ...queryOf(approvalsApi.pastReplies, { params: { id: answerId } }),
    enabled,
    staleTime: FRESH_MS,
    gcTime: FRESH_MS,
  });
}

/** Whether the element has been on the screen: of a long list only what is looked at is asked for. */
export function useSeen(box: RefObject<HTMLElement | null>): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (seen || element === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [seen, box]);
  return seen;
}
