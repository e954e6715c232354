import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { EVENTS_PAGE, integrationsApi } from "#contract/integrations.ts";
import { ApiError, call, queryKeyOf, queryOf, readPageOf } from "#web/api.ts";
import { invalidateIntegrations, toastRefusal } from "./queries.ts";

/** A connection comes and goes while one looks on. */
const LOOK_MS = 5_000;

export const useIntegration = (id: string) =>
  useQuery({ ...queryOf(integrationsApi.get, { params: { id } }), refetchInterval: LOOK_MS });

export const isIntegrationMissing = (error: unknown) =>
  error instanceof ApiError && (error.status === 404 || error.status === 400);

export function useIntegrationEvents(id: string) {
  const query = useInfiniteQuery({
    queryKey: [...queryKeyOf(integrationsApi.events, { params: { id } })],
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

/** Asks the platform now; the state and the log are read anew, whatever it has answered. */
export function useCheckIntegration(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(integrationsApi.check, { params: { id } }),
    onSettled: () => void invalidateIntegrations(client),
    onError: (error) => toastRefusal("Соединение не проверено", error, "Повторите через минуту"),
  });
}
