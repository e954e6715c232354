import { keepPreviousData, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import {
  CONVERSATIONS_PAGE,
  type ConversationUpdate,
  conversationsApi,
} from "#contract/conversations/conversations.ts";
import { call, readPageOf } from "#web/api/call.ts";
import { queryKeyOf, queryOf, shownBy } from "#web/api/query.ts";
import { usePolling } from "#web/parts/live/live.ts";
import { type Dialogue, type DialogueFilters, ReadConversation, toDialogue } from "./dialogue.ts";

/** Lenient schema of dialogues: fields may be missing, but the response must be a list of objects with ids. */
const list = { ...conversationsApi.list, output: z.array(ReadConversation) };
const one = { ...conversationsApi.get, output: ReadConversation };

interface DialoguePage {
  rows: Dialogue[];
  /** Cursor of the next page; undefined on the last page. */
  next: string | undefined;
}

async function readPage(
  filters: DialogueFilters,
  before: string | undefined,
  signal?: AbortSignal,
): Promise<DialoguePage> {
  const query = { ...filters, ...(before ? { before } : {}) };
  const page = await readPageOf(list, { query, ...(signal ? { signal } : {}) });
  const rows = page.rows.map(toDialogue);
  return { rows, next: page.sent < CONVERSATIONS_PAGE ? undefined : rows.at(-1)?.cursor };
}

/** Loads dialogues page by page; after a change of filters the old rows stay until the response arrives. */
export function useDialogues(filters: DialogueFilters, enabled = true) {
  return useInfiniteQuery({
    queryKey: [...queryKeyOf(conversationsApi.list, {}), "list", filters],
    ...shownBy(conversationsApi.list),
    queryFn: ({ pageParam, signal }) => readPage(filters, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: usePolling(),
  });
}

/** All rows that match the filters, for the export. */
export async function readAllDialogues(filters: DialogueFilters) {
  const rows: Dialogue[] = [];
  for (let before: string | undefined, more = true; more; more = before !== undefined) {
    const page = await readPage(filters, before);
    rows.push(...page.rows);
    before = page.next;
  }
  return rows;
}

/** Requested only when not all rows are loaded. */
export function useDialogueTotals(enabled: boolean) {
  return useQuery({ ...queryOf(conversationsApi.totals), enabled });
}

export function useDialogue(id: string, enabled: boolean) {
  return useQuery({ ...queryOf(one, { params: { id } }), select: toDialogue, enabled, refetchInterval: usePolling() });
}

/** Refetched whenever the dialogue is opened. */
export function useTranscript(id: string) {
  return useQuery({
    ...queryOf(conversationsApi.messages, { params: { id } }),
    refetchOnMount: "always",
    refetchInterval: usePolling(),
  });
}

export function useOpenDialogue() {
  return useMutation({
    mutationFn: (twinId: string) => call(conversationsApi.create, { input: { twinId } }),
  });
}

export function useUpdateDialogue(id: string) {
  return useMutation({
    mutationFn: (input: ConversationUpdate) => call(conversationsApi.update, { params: { id }, input }),
  });
}

/** Marks the contact's messages as seen once the dialogue is open. */
export function useMarkRead(id: string) {
  return useMutation({
    mutationFn: () => call(conversationsApi.read, { params: { id } }),
  });
}

/** Members to whom a dialogue can be assigned. */
export const useAssignees = () => useQuery(queryOf(conversationsApi.assignees));

export function useRemoveDialogue(id: string) {
  return useMutation({
    mutationFn: () => call(conversationsApi.remove, { params: { id } }),
  });
}
