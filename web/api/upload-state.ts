import { useQuery } from "@tanstack/react-query";
import { queryClient } from "./query-client.ts";

/**
 * How far an upload is. It outlives the screen that began it and stands in the query cache, which a logout clears.
 * @param nothing while none is under way
 */
export function uploadState<State>(name: string, nothing: State) {
  const queryKey = ["uploads", name];
  const current = (): State => queryClient.getQueryData<State>(queryKey) ?? nothing;
  return {
    current,
    publish: (state: State): void => void queryClient.setQueryData(queryKey, () => state),
    useUpload: () =>
      // It has data from the first: the compiler does not see it of a State that it does not know.
      useQuery({
        queryKey,
        queryFn: current,
        initialData: current,
        enabled: false,
        gcTime: Number.POSITIVE_INFINITY,
      }).data as State,
  };
}
