import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useState } from "react";
import { approvalsApi } from "#contract/conversations/approvals.ts";
import { queryOf } from "#web/api/query.ts";

/** Cache time, short so that a message that was deleted in the meantime disappears. */
const CACHE_MS = 60_000;

/** On failure nothing is shown, and the draft can be decided without past replies. */
export function usePastReplies(answerId: string, enabled: boolean) {
  return useQuery({
    ...queryOf(approvalsApi.pastReplies, { params: { id: answerId } }),
    enabled,
    staleTime: CACHE_MS,
    gcTime: CACHE_MS,
  });
}

/** Past replies for the contact's last message, without a draft; none once it is answered. */
export function useRepliesToContact(conversationId: string) {
  return useQuery({
    ...queryOf(approvalsApi.ownReplies, { params: { id: conversationId } }),
    staleTime: CACHE_MS,
    gcTime: CACHE_MS,
  });
}

/** Whether the element has been visible, so that in a long list only visible items are loaded. */
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
