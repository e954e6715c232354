import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Endpoint } from "#contract/endpoint.ts";
import { PAGE_SIZE } from "#contract/organizations/organizations.ts";
import { readPageOf } from "./call.ts";
import { cacheOptionsFor, queryKeyOf } from "./query.ts";
import type { LooseOptions } from "./request.ts";

export interface ListPage<Row> {
  rows: Row[];
  sent: number;
}

/**
 * Loads a list page by page; each page begins after the last row of the previous one. `data` is all rows so far, undefined until the
 * first page is loaded.
 */
export function usePages<Row extends { id: string }>(
  endpoint: Endpoint,
  given: Pick<LooseOptions, "params" | "query"> & { enabled?: boolean },
) {
  const { enabled = true, ...address } = given;
  const query = useInfiniteQuery({
    queryKey: [...queryKeyOf(endpoint, address), "pages"],
    ...cacheOptionsFor(endpoint, address),
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }): Promise<ListPage<Row>> => {
      const query = { ...address.query, after: pageParam };
      const { rows, sent } = await readPageOf(endpoint, { ...address, query, signal });
      return { rows: rows as Row[], sent };
    },
    getNextPageParam: ({ rows, sent }) => (sent >= PAGE_SIZE ? rows.at(-1)?.id : undefined),
    placeholderData: keepPreviousData,
    enabled,
  });
  return { ...query, data: query.data?.pages.flatMap(({ rows }) => rows) };
}

/** A debounced value, so that a search sends one request per word and not one per letter. */
export function useSettled<T>(value: T, ms = 250): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
