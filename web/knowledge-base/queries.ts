import { type InfiniteData, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { type KnowledgeMessage, knowledgeBaseApi, NEXT_PAGE_HEADER } from "#contract/knowledge/knowledge-base.ts";
import { checkAnswer } from "#web/api/answer.ts";
import { call, send } from "#web/api/call.ts";
import { cacheOptionsFor, queryKeyOf, queryOf } from "#web/api/query.ts";
import { refreshed } from "#web/api/refresh.ts";
import { addressOf } from "#web/api/request.ts";
import { whileReimporting } from "#web/parts/reimport/reimport-ends.ts";
import { toastError } from "#web/ui/toasts/error-toast.ts";
import { toast } from "#web/ui/toasts/toast.ts";
import { type MessageFilter, messageMatcher } from "./message-filter.ts";

export const useKnowledgeStats = () => useQuery(queryOf(knowledgeBaseApi.stats));

export const useKnowledgeSources = () =>
  useQuery({ ...queryOf(knowledgeBaseApi.sources), refetchInterval: whileReimporting });

interface MessagesPage {
  messages: KnowledgeMessage[];
  /** `before` of the next page, null at the end. */
  next: string | null;
}

/** Loads messages page by page, from the newest or from the cursor `before`. Until the response to a narrower filter arrives, the loaded messages are filtered locally. */
export function useKnowledgeMessages(filter: MessageFilter, before: string) {
  const { search, platform, twinId } = filter;
  // Absent filters are not sent.
  const query = {
    ...(search === "" ? {} : { search }),
    ...(platform === "all" ? {} : { platform }),
    ...(twinId === "all" ? {} : { twinId }),
  };
  return useInfiniteQuery({
    queryKey: queryKeyOf(knowledgeBaseApi.messages, { query: before === "" ? query : { ...query, before } }),
    ...cacheOptionsFor(knowledgeBaseApi.messages),
    queryFn: ({ pageParam, signal }) =>
      readPage({ ...query, ...(pageParam === null ? {} : { before: pageParam }) }, signal),
    initialPageParam: before || null,
    getNextPageParam: ({ next }: MessagesPage) => next,
    placeholderData: (loaded?: InfiniteData<MessagesPage, string | null>) => {
      if (before !== "") return undefined;
      const messages = loaded?.pages.flatMap((page) => page.messages).filter(messageMatcher(filter)) ?? [];
      return messages.length > 0 ? { pages: [{ messages, next: null }], pageParams: [null] } : undefined;
    },
  });
}

async function readPage(query: Record<string, string>, signal: AbortSignal): Promise<MessagesPage> {
  const response = await send(knowledgeBaseApi.messages, { query, signal });
  const address = addressOf(knowledgeBaseApi.messages, { query });
  const messages = checkAnswer(knowledgeBaseApi.messages, await response.json(), address);
  return { messages, next: response.headers.get(NEXT_PAGE_HEADER) };
}

export const useSourceContents = (id: string, search: string) =>
  useQuery({
    ...queryOf(knowledgeBaseApi.sourceContents, { params: { id }, query: search === "" ? {} : { search } }),
    placeholderData: (before) => before,
  });

export type RemovedKnowledge =
  | { kind: "source"; id: string; name: string }
  | { kind: "chat" | "person"; id: string; sourceId: string; name: string };

const removedTitles: Record<RemovedKnowledge["kind"], string> = {
  source: "Источник удалён",
  chat: "Чат удалён",
  person: "Собеседник удалён",
};

export const useRemoveHistory = () =>
  useMutation({
    mutationFn: (removed: RemovedKnowledge) => {
      if (removed.kind === "source") return call(knowledgeBaseApi.removeSource, { params: { id: removed.id } });
      const { sourceId: id } = removed;
      return removed.kind === "chat"
        ? call(knowledgeBaseApi.removeChat, { params: { id, chatId: removed.id } })
        : call(knowledgeBaseApi.removePerson, { params: { id, personId: removed.id } });
    },
    onSuccess: (_nothing, { kind, name }) => {
      toast({ title: removedTitles[kind], description: name });
      return refreshed();
    },
    onError: toastError("Ошибка удаления"),
  });
