import {
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import * as z from "zod/mini";
import { CONVERSATIONS_PAGE, type ConversationUpdate, conversationsApi } from "#contract/conversations.ts";
import { call, queryKeyOf, queryOf, readPageOf } from "#web/api.ts";
import { usePolling } from "#web/live/live.ts";
import { type Dialogue, type DialogueFilters, ReadConversation, toDialogue } from "./dialogue.ts";
import { isTranscript } from "./transcript.ts";

/** Read with whatever of a dialogue the server sends; anything but a list of things with an id is no answer. */
const list = { ...conversationsApi.list, output: z.array(ReadConversation) };
const one = { ...conversationsApi.get, output: ReadConversation };

const dialoguesKey = queryKeyOf(conversationsApi.list, {});

interface DialoguePage {
  rows: Dialogue[];
  /** Where the next page begins; undefined at the end. */
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

/** Page by page; with other filters the rows of the former ones stay until the answer is there. */
export function useDialogues(filters: DialogueFilters, enabled = true) {
  return useInfiniteQuery({
    queryKey: [...dialoguesKey, "list", filters],
    queryFn: ({ pageParam, signal }) => readPage(filters, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: usePolling(),
  });
}

/** Every row that the filters show, for the export. */
export async function readAllDialogues(filters: DialogueFilters) {
  const rows: Dialogue[] = [];
  for (let before: string | undefined, more = true; more; more = before !== undefined) {
    const page = await readPage(filters, before);
    rows.push(...page.rows);
    before = page.next;
  }
  return rows;
}

/** Asked only where the rows at hand are not all there are. */
export function useDialogueTotals(enabled: boolean) {
  return useQuery({ ...queryOf(conversationsApi.totals), enabled });
}

export function useDialogue(id: string, enabled: boolean) {
  return useQuery({ ...queryOf(one, { params: { id } }), select: toDialogue, enabled, refetchInterval: usePolling() });
}

/** Read again whenever its dialogue is opened. */
export function useTranscript(id: string) {
  return useQuery({
    ...queryOf(conversationsApi.messages, { params: { id } }),
    refetchOnMount: "always",
    refetchInterval: usePolling(),
  });
}

export function useOpenDialogue() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (twinId: string) => call(conversationsApi.create, { input: { twinId } }),
    onSuccess: () => void invalidateLists(client),
  });
}

export function useUpdateDialogue(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: ConversationUpdate) => call(conversationsApi.update, { params: { id }, input }),
    onSuccess: () => void invalidateLists(client),
  });
}

/** Once the dialogue is open, what the contact wrote counts as seen. */
export function useMarkRead(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(conversationsApi.read, { params: { id } }),
    onSuccess: () => void invalidateLists(client),
  });
}

/** Whom a dialogue may be given to. */
export const useAssignees = () => useQuery(queryOf(conversationsApi.assignees));

export function useRemoveDialogue(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(conversationsApi.remove, { params: { id } }),
    // Reading the dialogue that is gone would only fail.
    onSuccess: () => void invalidateLists(client, id),
  });
}

function invalidateLists(client: QueryClient, gone?: string) {
  return client.invalidateQueries({
    queryKey: dialoguesKey,
    predicate: ({ queryKey }) => !isTranscript(queryKey) && (gone === undefined || queryKey[1] !== gone),
  });
}
