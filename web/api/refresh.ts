/** The one place where what a change has made stale is read again: by the tags of the contract, so no screen lists addresses of others. */
import type { QueryMeta } from "@tanstack/react-query";
import type { Endpoint } from "#contract/endpoint.ts";
import type { Refreshes, Tag } from "#contract/tags.ts";
import { queryClient } from "./query-client.ts";
import { addressOf, type LooseOptions } from "./request.ts";

export interface Change {
  tags: readonly Tag[];
  /** Only reads at this address and below it: of one conversation, not of all. */
  below?: string | undefined;
  /** The address of what is no more: to read it and what lies below it would only fail. */
  gone?: string | undefined;
}

let running: Promise<unknown> = Promise.resolve();

/** Marks as stale whatever shows one of the changes; what of it stands on the screen is read again at once. */
export function refresh(...changes: Change[]): void {
  running = queryClient.invalidateQueries({ predicate: ({ meta }) => changes.some((change) => isStale(meta, change)) });
}

/** Until what the latest change has made stale is read again: for a button that stays busy until its effect shows. */
export const refreshed = (): Promise<unknown> => running;

/** Called after every successful change that the contract declares. */
export function refreshAfter(endpoint: Endpoint, { params }: Pick<LooseOptions, "params"> = {}): void {
  if (!hasTags(endpoint.refreshes)) return;
  const removed = endpoint.method === "DELETE" && /:\w+$/.test(endpoint.path);
  // Without params the call has failed, or is not known: then nothing counts as gone.
  refresh({ tags: endpoint.refreshes, gone: removed && params ? addressOf(endpoint, { params }) : undefined });
}

const hasTags = (refreshes: Refreshes): refreshes is Exclude<Refreshes, string> => typeof refreshes !== "string";

function isStale(meta: QueryMeta | undefined, { tags, below, gone }: Change): boolean {
  const address = meta?.address;
  if (!meta?.tags?.some((tag) => tags.includes(tag))) return false;
  if (below !== undefined && !isBelow(address, below)) return false;
  return gone === undefined || !isBelow(address, gone);
}

const isBelow = (address: string | undefined, place: string): boolean => `${address ?? ""}/`.startsWith(`${place}/`);
