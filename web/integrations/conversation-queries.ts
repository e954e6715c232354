import { useQuery } from "@tanstack/react-query";
import { conversationsApi } from "#contract/conversations/conversations.ts";
import type { Integration } from "#contract/integrations/integrations.ts";
import { queryOf } from "#web/api/query.ts";

/** The page has no live stream; it polls the channel while a user sets it up. */
const RECENT_MS = 10_000;

export const useRecentConversations = ({ id: integrationId }: Integration) =>
  useQuery({
    ...queryOf(conversationsApi.list, { query: { integrationId } }),
    refetchInterval: RECENT_MS,
  });

/** Polling interval for the first message, which has arrived but is not in a conversation yet. */
const FIRST_MESSAGE_MS = 2_000;

/** The newest conversation of a newly connected account; undefined until its first message has arrived. */
export function useFirstMessage({ id: integrationId }: Integration, arrived: boolean) {
  const { data } = useQuery({
    ...queryOf(conversationsApi.list, { query: { integrationId } }),
    enabled: arrived,
    refetchInterval: ({ state }) => (state.data?.[0]?.lastMessage ? false : FIRST_MESSAGE_MS),
  });
  const newest = data?.[0];
  if (!arrived || !newest?.lastMessage) return undefined;
  return { conversationId: newest.id, from: newest.participants.name, text: newest.lastMessage };
}
