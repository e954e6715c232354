import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Endpoint } from "#contract/endpoint.ts";
import { PORTION } from "#contract/organizations.ts";
import { type LooseOptions, queryKeyOf, readPageOf } from "./api.ts";

export interface Portion<Row> {
  rows: Row[];
  /** With those that could not be read. */
  sent: number;
}

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
    queryFn: async ({ pageParam, signal }): Promise<Portion<Row>> => {
      const query = { ...address.query, after: pageParam };
      const { rows, sent } = await readPageOf(endpoint, { ...address, query, signal });
      return { rows: rows as Row[], sent };
    },
    getNextPageParam: ({ rows, sent }) => (sent >= PORTION ? rows.at(-1)?.id : undefined),
    placeholderData: keepPreviousData,
    enabled,
  });
  return { ...query, data: query.data?.pages.flatMap(({ rows }) => rows) };
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
