import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import {
  CONVERSATIONS_PAGE,
  type ConversationUpdate,
  conversationsApi,
} from "#contract/conversations/conversations.ts";
import { messageSearchApi } from "#contract/conversations/message-search.ts";
import { call, readPageOf } from "#web/api/call.ts";
import { cacheOptionsFor, queryKeyOf, queryOf } from "#web/api/query.ts";
import { whileComing } from "#web/parts/chat/transcript.ts";
import { usePolling } from "#web/parts/live/live.ts";
import {
  type ConversationFilters,
  ReadConversation,
  type ShownConversation,
  toShownConversation,
} from "./shown-conversation.ts";

/** Lenient schema of conversations: fields may be missing, but the response must be a list of objects with ids. */
const list = { ...conversationsApi.list, output: z.array(ReadConversation) };
const one = { ...conversationsApi.get, output: ReadConversation };

interface ConversationPage {
  rows: ShownConversation[];
  next: string | undefined;
}

async function readPage(
  filters: ConversationFilters,
  before: string | undefined,
  signal?: AbortSignal,
): Promise<ConversationPage> {
  const query = { ...filters, ...(before ? { before } : {}) };
  const page = await readPageOf(list, { query, ...(signal ? { signal } : {}) });
  const rows = page.rows.map(toShownConversation);
  return { rows, next: page.sent < CONVERSATIONS_PAGE ? undefined : rows.at(-1)?.cursor };
}

/** Loads conversations page by page. After a change of filters the old rows stay until the response arrives. */
export function useConversations(filters: ConversationFilters, enabled = true) {
  return useInfiniteQuery({
    queryKey: [...queryKeyOf(conversationsApi.list, {}), "list", filters],
    ...cacheOptionsFor(conversationsApi.list),
    queryFn: ({ pageParam, signal }) => readPage(filters, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: usePolling(),
  });
}

/** Joins the pages without duplicates: a conversation whose snooze has ended is on the first page and again in its usual place. */
export function rowsOf(data: { pages: readonly ConversationPage[] } | undefined): ShownConversation[] | undefined {
  if (!data) return undefined;
  const rows = new Map<string, ShownConversation>();
  for (const row of data.pages.flatMap((page) => page.rows)) if (!rows.has(row.id)) rows.set(row.id, row);
  return [...rows.values()];
}

export async function readAllConversations(filters: ConversationFilters) {
  const rows: ShownConversation[] = [];
  for (let before: string | undefined, more = true; more; more = before !== undefined) {
    const page = await readPage(filters, before);
    rows.push(...page.rows);
    before = page.next;
  }
  return rowsOf({ pages: [{ rows, next: undefined }] })!;
}

/** Requested only when not all rows are loaded. */
export function useConversationTotals(enabled: boolean) {
  return useQuery({ ...queryOf(conversationsApi.totals), enabled });
}

export function useConversation(id: string, enabled: boolean) {
  return useQuery({
    ...queryOf(one, { params: { id } }),
    select: toShownConversation,
    enabled,
    refetchInterval: usePolling(),
  });
}

export function useTranscript(id: string) {
  const polling = usePolling();
  return useQuery({
    ...queryOf(conversationsApi.messages, { params: { id } }),
    refetchOnMount: "always",
    refetchInterval: (query) => whileComing(query) || polling,
  });
}

export function useTranscriptAround(id: string, messageId: string, enabled: boolean) {
  return useQuery({ ...queryOf(conversationsApi.messages, { params: { id }, query: { around: messageId } }), enabled });
}

export function useFoundMessages(filters: ConversationFilters) {
  return useInfiniteQuery({
    queryKey: [...queryKeyOf(messageSearchApi.find, {}), filters],
    ...cacheOptionsFor(messageSearchApi.find),
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filters, ...(pageParam ? { before: pageParam } : {}) };
      return (await readPageOf(messageSearchApi.find, { query, signal })).rows;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}

export function useOpenConversation() {
  return useMutation({
    mutationFn: (twinId: string) => call(conversationsApi.create, { input: { twinId } }),
  });
}

export function useUpdateConversation(id: string) {
  return useMutation({
    mutationFn: (input: ConversationUpdate) => call(conversationsApi.update, { params: { id }, input }),
  });
}

/** Marks the contact's messages as seen once the conversation is open. */
export function useMarkRead(id: string) {
  return useMutation({
    mutationFn: () => call(conversationsApi.read, { params: { id } }),
  });
}

export const useAssignees = () => useQuery(queryOf(conversationsApi.assignees));

export function useRemoveConversation(id: string) {
  return useMutation({
    mutationFn: () => call(conversationsApi.remove, { params: { id } }),
  });
}
