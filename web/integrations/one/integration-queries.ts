import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { EVENTS_PAGE, integrationsApi } from "#contract/integrations/integrations.ts";
import { ApiError } from "#web/api/api-error.ts";
import { call, readPageOf } from "#web/api/call.ts";
import { cacheOptionsFor, queryKeyOf, queryOf } from "#web/api/query.ts";
import { refreshAfter } from "#web/api/refresh.ts";
import { toastRefusal } from "#web/ui/toasts/error-toast.ts";

/** Polling interval: a connection may break or return while a user looks at it. */
const POLL_MS = 5_000;
/** Shorter polling interval while the connection is being established, which the user waits for. */
const CONNECTING_POLL_MS = 2_000;

export const useIntegration = (id: string) =>
  useQuery({
    ...queryOf(integrationsApi.get, { params: { id } }),
    refetchInterval: ({ state: { data } }) => (data?.connection === "connecting" ? CONNECTING_POLL_MS : POLL_MS),
  });

export const isIntegrationMissing = (error: unknown) =>
  error instanceof ApiError && (error.status === 404 || error.status === 400);

export function useIntegrationEvents(id: string) {
  const query = useInfiniteQuery({
    queryKey: queryKeyOf(integrationsApi.events, { params: { id } }),
    ...cacheOptionsFor(integrationsApi.events, { params: { id } }),
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      readPageOf(integrationsApi.events, {
        params: { id },
        ...(pageParam === undefined ? {} : { query: { before: pageParam } }),
        signal,
      }),
    getNextPageParam: ({ rows, sent }) => (sent === EVENTS_PAGE ? rows.at(-1)?.id : undefined),
  });
  return { ...query, data: query.data?.pages.flatMap(({ rows }) => rows) };
}

/** null makes the integration connect directly. */
export function useSetProxy(id: string) {
  return useMutation({
    mutationFn: (proxy: string) => call(integrationsApi.setProxy, { params: { id }, input: { proxy } }),
  });
}

/** Checks the connection now; state and log are refetched whatever the result. */
export function useCheckIntegration(id: string) {
  return useMutation({
    mutationFn: () => call(integrationsApi.check, { params: { id } }),
    onError: (error) => {
      refreshAfter(integrationsApi.check);
      toastRefusal("Соединение не проверено", "Повторите через минуту")(error);
    },
  });
}
