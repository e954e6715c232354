import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Endpoint } from "#contract/endpoint.ts";
import { PORTION } from "#contract/organizations.ts";
import { checkAnswer, type LooseOptions, queryKeyOf, send } from "./api.ts";

/**
 * A list that comes in portions, each behind the last row of the one before. `data` is all rows so far; it is undefined until the
 * first portion is there.
 */
export function usePortions<Row extends { id: string }>(
  endpoint: Endpoint,
  given: Pick<LooseOptions, "params" | "query"> & { enabled?: boolean },
) {
  const { enabled = true, ...address } = given;
  const query = useInfiniteQuery({
    queryKey: [...queryKeyOf(endpoint, address), "portions"],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }): Promise<Row[]> => {
      const response = await send(endpoint, { ...address, query: { ...address.query, after: pageParam }, signal });
      return checkAnswer(endpoint, await response.json()) as Row[];
    },
    getNextPageParam: (last) => (last.length >= PORTION ? last.at(-1)?.id : undefined),
    placeholderData: keepPreviousData,
    enabled,
  });
  return { ...query, data: query.data?.pages.flat() };
}

/** The value of a moment ago, so that a search asks the server once a word and not once a letter. */
export function useSettled<T>(value: T, ms = 250): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
