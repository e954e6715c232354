/** Continues the test chat that this tab had with a twin, after a reload or a return by address. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useState } from "react";
import { conversationsApi } from "#contract/conversations/conversations.ts";
import { ApiError } from "#web/api/api-error.ts";
import { queryOf } from "#web/api/query.ts";
import { DRAFT_PREFIX } from "#web/drafts.ts";
import { usePolling } from "#web/parts/live/live.ts";
import { useSession } from "#web/session/session.tsx";
import type { Chat, ChatState, ChatTurn } from "./chat.ts";
import { turnsOf, whileComing } from "./transcript.ts";

/**
 * The tab stores only the conversation's id, under the user's own key, which a logout clears. The server shows the messages
 * to no other user.
 * @returns whether the messages are still loading
 */
export function useKeptTestChat(twinId: string, chat: Chat, { conversationId, askedIn, turns }: ChatState): boolean {
  const { user } = useSession();
  const key = `${DRAFT_PREFIX}${user?.id ?? ""}:test-chat:${twinId}`;
  const [kept] = useState(() => (turns.length === 0 ? sessionStorage.getItem(key) : null));
  // An act that waits ends elsewhere, and its outcome is a message of this chat.
  const waits = conversationId !== undefined && turns.some(hasWaitingCall);
  const read = waits ? conversationId : kept;
  const polling = usePolling();
  const { data, dataUpdatedAt, error, isLoading } = useQuery({
    ...queryOf(conversationsApi.messages, { params: { id: read ?? "" } }),
    enabled: read !== null,
    // The chat keeps its later messages itself, so this read becomes stale only while an act waits.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: waits ? "always" : true,
    refetchInterval: (query) => whileComing(query) || (waits && polling),
  });
  const gone = error instanceof ApiError && error.status === 404;
  useLayoutEffect(() => {
    if (kept !== null) chat.goOnIn(kept);
  }, [kept, chat]);
  useLayoutEffect(() => {
    if (data) chat.restore(turnsOf(data), dataUpdatedAt);
  }, [data, dataUpdatedAt, chat]);
  useEffect(() => {
    if (gone && kept !== null) chat.leave(kept);
  }, [gone, kept, chat]);
  useEffect(() => {
    const place = conversationId ?? askedIn;
    if (place !== undefined) sessionStorage.setItem(key, place);
    else if (gone) sessionStorage.removeItem(key);
  }, [conversationId, askedIn, gone, key]);
  return isLoading && turns.length === 0;
}

const hasWaitingCall = ({ reply }: ChatTurn): boolean =>
  reply?.calls?.some(({ outcome }) => outcome === "waiting-owner" || outcome === "unknown") ?? false;
