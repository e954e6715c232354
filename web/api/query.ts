import type { QueryFunctionContext, QueryKey } from "@tanstack/react-query";
import type { Endpoint } from "#contract/endpoint.ts";
import type { Tag } from "#contract/tags.ts";
import { type Answer, checkAnswer } from "./answer.ts";
import { addressOf, bodyOf, type LooseOptions, type OptionsArgument, request, requestAddress } from "./request.ts";

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: {
      /** Tags of the read as the contract declares them, which refresh.ts compares. */
      tags?: readonly Tag[];
      address?: string;
    };
  }
}

/** Key and function of a query for one GET of the contract: `useQuery(queryOf(twinsApi.list))`. */
export function queryOf<E extends Endpoint>(endpoint: E, ...[options]: OptionsArgument<E>) {
  const given = (options ?? {}) as LooseOptions;
  return {
    queryKey: queryKeyOf(endpoint, given),
    ...cacheOptionsFor(endpoint, given),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Answer<E>> =>
      checkAnswer(endpoint, await bodyOf(await request(endpoint, { ...given, signal })), addressOf(endpoint, given)),
  };
}

/** Tags for a query with a custom key or pages, so that changes refetch it. */
export function cacheOptionsFor(
  { tags, path }: Pick<Endpoint, "tags" | "path">,
  { params }: Pick<LooseOptions, "params"> = {},
) {
  return { meta: { tags, address: addressOf({ path }, params ? { params } : {}) } };
}

/** The path split before its first parameter, the parameters, and the query as an object. */
export function queryKeyOf(endpoint: Pick<Endpoint, "path">, given: Pick<LooseOptions, "params" | "query">): QueryKey {
  const [base, ...rest] = endpoint.path.split(/\/(?=:)/);
  const parts = rest.flatMap((part) =>
    addressOf({ path: `/${part}` }, given)
      .slice(1)
      .split("/"),
  );
  return [base, ...parts, ...(given.query ? [given.query] : [])];
}

/** The default query function: GET on the key's parts joined by «/»; an object at the end becomes the query string. */
export async function queryByKey({ queryKey, signal }: QueryFunctionContext): Promise<unknown> {
  const last = queryKey.at(-1);
  const query = typeof last === "object" && last !== null ? (last as Record<string, unknown>) : undefined;
  const path = (query ? queryKey.slice(0, -1) : queryKey).join("/");
  return bodyOf(await requestAddress(path, query, signal));
}
