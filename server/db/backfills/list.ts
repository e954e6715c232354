import type { Backfill } from "./backfill.ts";

/** In the order in which they run. One leaves the list together with the migration that contracts (CONTRIBUTING, «Change many rows»). */
export const BACKFILLS: readonly Backfill[] = [];
