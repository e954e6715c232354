import { notifyManager, QueryClient } from "@tanstack/react-query";
import { queryByKey } from "./query.ts";

// A button must be rendered as busy before the second click of a double click arrives: in a microtask, not a task.
notifyManager.setScheduler(queueMicrotask);

/** The specification's defaults: data never becomes stale, and nothing is retried or refetched automatically. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      queryFn: queryByKey,
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 5 * 60 * 1000,
      retry: false,
      refetchInterval: false,
      refetchOnWindowFocus: false,
      // An offline request must fail visibly instead of waiting for the network forever.
      networkMode: "always",
    },
    mutations: { retry: false, networkMode: "always" },
  },
});
