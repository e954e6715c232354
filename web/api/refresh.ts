/** Refetches what a change has made stale, by the tags of the contract, so that no screen lists addresses of other screens. */
import type { QueryMeta } from "@tanstack/react-query";
import type { Endpoint } from "#contract/endpoint.ts";
import type { Refreshes, Tag } from "#contract/tags.ts";
import { queryClient } from "./query-client.ts";
import { addressOf, type LooseOptions } from "./request.ts";

export interface RefreshScope {
  tags: readonly Tag[];
  /** Limits the refresh to reads at this address and below it, such as one conversation. */
  below?: string | undefined;
  /** Address of a deleted object: reading it or anything below it would only fail. */
  gone?: string | undefined;
}

let running: Promise<unknown> = Promise.resolve();

/** Marks reads that show one of the changes as stale; those on the screen are refetched at once. */
export function refresh(...changes: RefreshScope[]): void {
  running = queryClient.invalidateQueries({ predicate: ({ meta }) => changes.some((change) => isStale(meta, change)) });
}

/** Resolves when the latest refetch is done, for a button that stays busy until its effect is visible. */
export const refreshed = (): Promise<unknown> => running;

export function refreshAfter(endpoint: Endpoint, { params }: Pick<LooseOptions, "params"> = {}): void {
  if (!hasTags(endpoint.refreshes)) return;
  const removed = endpoint.method === "DELETE" && /:\w+$/.test(endpoint.path);
  // Without params it is unknown which object was deleted, so nothing counts as gone.
  refresh({ tags: endpoint.refreshes, gone: removed && params ? addressOf(endpoint, { params }) : undefined });
}

const hasTags = (refreshes: Refreshes): refreshes is Exclude<Refreshes, string> => typeof refreshes !== "string";

function isStale(meta: QueryMeta | undefined, { tags, below, gone }: RefreshScope): boolean {
  const address = meta?.address;
  if (!meta?.tags?.some((tag) => tags.includes(tag))) return false;
  if (below !== undefined && !isBelow(address, below)) return false;
  return gone === undefined || !isBelow(address, gone);
}

const isBelow = (address: string | undefined, place: string): boolean => `${address ?? ""}/`.startsWith(`${place}/`);
