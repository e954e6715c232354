import { useQuery } from "@tanstack/react-query";
import { queryClient } from "./query-client.ts";

/**
 * Progress of an upload. It outlives the screen that started it and is in the query cache, which a logout clears.
 * @param nothing value while there is no upload
 */
export function uploadState<State>(name: string, nothing: State) {
  const queryKey = ["uploads", name];
  const current = (): State => queryClient.getQueryData<State>(queryKey) ?? nothing;
  return {
    current,
    publish: (state: State): void => void queryClient.setQueryData(queryKey, () => state),
    useUpload: () =>
      // `initialData` makes the data defined, which the compiler cannot infer for a generic State.
      useQuery({
        queryKey,
        queryFn: current,
        initialData: current,
        enabled: false,
        gcTime: Number.POSITIVE_INFINITY,
      }).data as State,
  };
}
