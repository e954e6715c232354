import { type InfiniteData, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import {
  type KnowledgeMessage,
  type KnowledgeSource,
  knowledgeBaseApi,
  NEXT_PAGE_HEADER,
} from "#contract/knowledge-base.ts";
import { addressOf, call, checkAnswer, messageOf, queryKeyOf, queryOf, send } from "#web/api.ts";
import { serverSentenceOf } from "#web/api-error.ts";
import { invalidateHistory } from "#web/integrations/history-changes.ts";
import { reimportBegan, whileReimporting } from "#web/integrations/reimport-ends.ts";
import { queryClient } from "#web/query-client.ts";
import { toast } from "#web/ui/toast.ts";
import { type MessageFilter, messageMatcher } from "./message-filter.ts";

export const useKnowledgeStats = () => useQuery(queryOf(knowledgeBaseApi.stats));

export const useKnowledgeSources = () =>
  useQuery({ ...queryOf(knowledgeBaseApi.sources), refetchInterval: whileReimporting });

interface MessagesPage {
  messages: KnowledgeMessage[];
  /** `before` of the next page, null at the end. */
  next: string | null;
}

/** Page after page by key. Until a narrower filter is answered, what is loaded already shows through it. */
export function useKnowledgeMessages(filter: MessageFilter) {
  const { search, platform, twinId } = filter;
  // What is not asked for is not sent.
  const query = {
    ...(search === "" ? {} : { search }),
    ...(platform === "all" ? {} : { platform }),
    ...(twinId === "all" ? {} : { twinId }),
  };
  return useInfiniteQuery({
    queryKey: queryKeyOf(knowledgeBaseApi.messages, { query }),
    queryFn: ({ pageParam, signal }) =>
      readPage({ ...query, ...(pageParam === null ? {} : { before: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: MessagesPage) => next,
    placeholderData: (loaded?: InfiniteData<MessagesPage, string | null>) => {
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

export const useReimport = () =>
  useMutation({
    mutationFn: ({ id }: KnowledgeSource) => send(knowledgeBaseApi.reimport, { params: { id } }),
    onSuccess: (_answer, { id }) => {
      reimportBegan(id);
      toast({ title: "Переимпорт запущен", description: "Данные обновляются в фоновом режиме" });
      void invalidateHistory(queryClient);
    },
    onError: (error) =>
      toast({
        title: "Ошибка переимпорта",
        description: serverSentenceOf(error) ?? "Не удалось запустить переимпорт",
        variant: "destructive",
      }),
  });

export const useSourceContents = (id: string, search: string) =>
  useQuery({
    ...queryOf(knowledgeBaseApi.sourceContents, { params: { id }, query: search === "" ? {} : { search } }),
    placeholderData: (before) => before,
  });

/** What of a source is to be removed. */
export type Removed =
  | { kind: "source"; id: string; name: string }
  | { kind: "chat" | "person"; id: string; sourceId: string; name: string };

const removedTitles: Record<Removed["kind"], string> = {
  source: "Источник удалён",
  chat: "Чат удалён",
  person: "Собеседник удалён",
};

export const useRemoveHistory = () =>
  useMutation({
    mutationFn: (removed: Removed) => {
      if (removed.kind === "source") return call(knowledgeBaseApi.removeSource, { params: { id: removed.id } });
      const { sourceId: id } = removed;
      return removed.kind === "chat"
        ? call(knowledgeBaseApi.removeChat, { params: { id, chatId: removed.id } })
        : call(knowledgeBaseApi.removePerson, { params: { id, personId: removed.id } });
    },
    onSuccess: (_nothing, { kind, name }) => {
      toast({ title: removedTitles[kind], description: name });
      const stale = ["/api/knowledge-base", "/api/imports", "/api/digital-twins", "/api/conversations"];
      return queryClient.invalidateQueries({
        predicate: ({ queryKey }) => stale.some((path) => String(queryKey[0]).startsWith(path)),
      });
    },
    onError: (error) => toast({ title: "Ошибка удаления", description: messageOf(error), variant: "destructive" }),
  });
